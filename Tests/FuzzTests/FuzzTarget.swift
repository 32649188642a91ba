import Testing

/// A decoder of foreign bytes, which must not crash, hang or leak for any input.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
    let name: String
    /// Valid inputs, from which the mutations begin.
    let corpus: [[UInt8]]
    /// Decodes one input.
    ///
    /// - Returns: Whether the input was accepted; an accepted input is mutated further.
    let read: @Sendable ([UInt8]) -> Bool

    var testDescription: String { name }

    init(_ name: String, _ corpus: [[UInt8]], read: @escaping @Sendable ([UInt8]) -> Bool) {
        self.name = name
        self.corpus = corpus
        self.read = read
    }

    init(_ name: String, _ corpus: [String], read: @escaping @Sendable ([UInt8]) -> Bool) {
        self.init(name, corpus.map { Array($0.utf8) }, read: read)
    }
}
