import NewsEvents
import Worker

/// Decodes the events that publishers send, by the rules of the worker's sources.
struct EventValidator: Sendable {
    /// An event that may be written.
    struct Accepted: Sendable, Equatable {
        var topic: String
        var event: NewsEvent
        /// Whether the source's records are in newsflash's own event format.
        var isOwnForm: Bool
    }

    private let sources: [SourceSettings]

    init(_ sources: [SourceSettings]) {
        self.sources = sources
    }

    /// Decodes an event.
    ///
    /// - Parameters:
    ///   - body: The event as it will be written.
    ///   - mediaType: The media type of the body; identifies a CloudEvent.
    ///   - source: The source of the event; `nil` for the first source that can decode it.
    /// - Returns: The event and its topic.
    /// - Throws: ``GatewayRefusal``, 400, with the position of the fault; contains no text of news.
    func read(_ body: [UInt8], mediaType: String, source: String?) throws(GatewayRefusal) -> Accepted {
        var candidates = sources
        if let source {
            candidates = sources.filter { $0.name == source }
            guard !candidates.isEmpty else {
                throw .malformed("unknown_source", "No source has this name.")
            }
        }
        let headers = [EventHeader(name: "content-type", value: Array(mediaType.utf8))]
        var first: EventRejection?
        for candidate in candidates {
            switch candidate.decoder.decode(bytes: body, headers: headers) {
            case .event(let event, _):
                return Accepted(topic: candidate.topic, event: event, isOwnForm: candidate.format == .event)
            case .rejected(let rejection): first = first ?? rejection
            case .tombstone: break
            }
        }
        throw first.map { GatewayRefusal($0) } ?? .malformed("empty", "The body contains no event.")
    }
}

extension GatewayRefusal {
    /// The refusal of an undecodable event. The detail begins with the position, if there is one.
    init(_ rejection: EventRejection) {
        let detail = rejection.detail
        let place = detail.prefix { $0 != ":" && $0 != " " }
        self.init(
            rejection.reason == .tooLarge ? 413 : 400,
            rejection.reason.rawValue,
            detail,
            path: place.hasPrefix("/") ? String(place) : nil
        )
    }
}
