import NewsEvents

/// Reads records of which nobody says which source they come from: each as the first source reads it that can.
struct RehearsalDecoder: Sendable {
    private let decoders: [(source: String, decoder: EventDecoder)]

    init(_ sources: [SourceSettings]) {
        decoders = sources.map { ($0.name, $0.decoder) }
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - value: Its value; `nil` for a tombstone.
    ///   - headers: Its headers.
    /// - Returns: What it says to the first source that understands it, be it a status that nobody knows; where none does,
    ///   what the first source says of it.
    func decode(_ value: [UInt8]?, _ headers: [EventHeader]) -> DecodeOutcome { read(value, headers).content }

    /// Reads a record, and says which source read it.
    ///
    /// - Parameters:
    ///   - value: Its value; `nil` for a tombstone.
    ///   - headers: Its headers.
    /// - Returns: What ``decode(_:_:)`` says, and the source's name; `nil` where none understands the record.
    func read(_ value: [UInt8]?, _ headers: [EventHeader]) -> (content: DecodeOutcome, source: String?) {
        var first: DecodeOutcome?
        for (source, decoder) in decoders {
            let outcome = decoder.decode(bytes: value, headers: headers)
            guard case .rejected(let rejection) = outcome, !rejection.holdsStory else { return (outcome, source) }
            first = first ?? outcome
        }
        return (first ?? .tombstone, nil)
    }
}
