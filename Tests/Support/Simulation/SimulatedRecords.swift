import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps

/// Real bytes of the simulated desk's events, and their real decoder.
enum SimulatedRecords {
    private static let decoder = EventDecoder(defaultSource: "desk")

    static func encode(_ event: SimEvent, at published: Timestamp) -> [UInt8] {
        switch event.fault {
        case .unreadable: return Array(#"{"v":1,"id":"\#(event.id)","story":"#.utf8)
        case .unknownKind:
            var text = String(decoding: EventEncoder.encode(newsEvent(event, at: published)), as: UTF8.self)
            if let place = text.range(of: #""kind":"\#(event.kind.rawValue)""#) {
                text.replaceSubrange(place, with: #""kind":"withdraw-now""#)
            }
            return Array(text.utf8)
        case nil: return EventEncoder.encode(newsEvent(event, at: published))
        }
    }

    static func decode(_ value: [UInt8]) -> DecodeOutcome { decoder.decode(bytes: value) }

    private static func newsEvent(_ event: SimEvent, at published: Timestamp) -> NewsEvent {
        let names = ["novak", "adeyemi", "brown"]
        return NewsEvent(
            id: event.id,
            source: event.source,
            story: event.story,
            revision: event.revision,
            kind: EventKind(rawValue: event.kind.rawValue) ?? .alert,
            urgency: event.urgency,
            published: published,
            embargo: event.embargo.map { published + $0 },
            expires: event.expires.map { published + $0 },
            categories: event.categories,
            text: event.words.isEmpty ? [] : [EventText(language: "en", headline: event.words)],
            approvedBy: Array(names.prefix(event.approvals)),
            mode: EventMode(rawValue: event.mode.rawValue) ?? .live,
            users: event.userNames
        )
    }
}

extension String {
    /// The first range of a text.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
