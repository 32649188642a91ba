import Testing

/// Something that reads bytes from outside, and must not crash, hang or leak whatever they are.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
    let name: String
    /// What it is used to; the mutations begin here.
    let corpus: [[UInt8]]
    /// Reads one input.
    ///
    /// - Returns: Whether it took it: what is taken is worth going on from.
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
