import NewsEvents
import Timestamps

/// Decodes records from files, which do not contain their topics.
struct RehearsalDecoder: Sendable {
    private let sources: [(name: String, decoder: EventDecoder)]

    init(_ sources: [SourceSettings]) {
        self.sources = sources.map { ($0.name, $0.decoder) }
    }

    /// Decodes a record of a source with a given write time.
    func decode(_ value: [UInt8]?, _ headers: [EventHeader], of source: Int, writtenAt: Timestamp?) -> DecodeOutcome {
        sources[source].decoder.decode(bytes: value, headers: headers, writtenAt: writtenAt)
    }

    /// Decodes a record and finds its source: the named one, otherwise the first that decodes it, otherwise the first that
    /// rejects it and holds its story.
    ///
    /// - Returns: The event, the index of the source, and whether that source understood the record. If none does, the
    ///   rejection of the first source.
    func decode(
        _ record: RehearsalRecord,
        writtenAt: Timestamp?
    ) -> (content: DecodeOutcome, source: Int, isUnderstood: Bool) {
        func decode(_ place: Int) -> DecodeOutcome {
            self.decode(record.value, record.headers, of: place, writtenAt: writtenAt)
        }
        if let place = sources.firstIndex(where: { $0.name == record.source }) {
            let content = decode(place)
            return (content, place, content.isRead || content.holdsStory)
        }
        let contents = sources.indices.map(decode)
        if let place = contents.firstIndex(where: \.isRead) ?? contents.firstIndex(where: \.holdsStory) {
            return (contents[place], place, true)
        }
        return (contents.first ?? .tombstone, 0, false)
    }
}

extension DecodeOutcome {
    /// Whether it is an event or a tombstone.
    fileprivate var isRead: Bool {
        if case .rejected = self { false } else { true }
    }

    /// Whether it is not an event and holds its story.
    fileprivate var holdsStory: Bool {
        if case .rejected(let rejection) = self { rejection.holdsStory } else { false }
    }
}
