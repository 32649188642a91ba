import NewsEvents

/// Decodes records from files, which do not say from which topic they come.
struct RehearsalDecoder: Sendable {
    private let sources: [(name: String, decoder: EventDecoder)]

    init(_ sources: [SourceSettings]) {
        self.sources = sources.map { ($0.name, $0.decoder) }
    }

    /// Decodes a record of a source.
    func decode(_ value: [UInt8]?, _ headers: [EventHeader], of source: Int) -> DecodeOutcome {
        sources[source].decoder.decode(bytes: value, headers: headers)
    }

    /// Decodes a record, and finds its source: the one that it names, otherwise the first that can decode it.
    ///
    /// - Returns: The event, the source's place in the configuration, and whether that source understood the record. If none
    ///   understands it, the first one's refusal.
    func decode(_ record: RehearsalRecord) -> (content: DecodeOutcome, source: Int, isUnderstood: Bool) {
        if let place = sources.firstIndex(where: { $0.name == record.source }) {
            let content = decode(record.value, record.headers, of: place)
            return (content, place, content.isUnderstood)
        }
        for place in sources.indices {
            let content = decode(record.value, record.headers, of: place)
            if content.isUnderstood { return (content, place, true) }
        }
        return (decode(record.value, record.headers, of: 0), 0, false)
    }
}

extension DecodeOutcome {
    /// Whether it is an event, a tombstone, or a status that is unknown but stops its story.
    fileprivate var isUnderstood: Bool {
        guard case .rejected(let rejection) = self else { return true }
        return rejection.holdsStory
    }
}
