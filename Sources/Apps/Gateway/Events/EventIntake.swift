import NewsEvents
import Worker

/// Reads the events that publishers hand in, by the rules of the sources that the worker reads.
struct EventIntake: Sendable {
    /// An event that may be written.
    struct Accepted: Sendable, Equatable {
        var topic: String
        var event: NewsEvent
        /// Whether the source's records are events of newsflash's own form.
        var isOwnForm: Bool
    }

    private let sources: [SourceSettings]

    init(_ sources: [SourceSettings]) {
        self.sources = sources
    }

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - body: As it is to be written.
    ///   - mediaType: That of the body, by which a CloudEvent is told.
    ///   - source: The source that it is for; `nil` for the first that can read it.
    /// - Returns: What it is and where it goes.
    /// - Throws: ``GatewayRefusal``, 400 with the place of the fault, never with text of news.
    func read(_ body: [UInt8], mediaType: String, source: String?) throws(GatewayRefusal) -> Accepted {
        var candidates = sources
        if let source {
            candidates = sources.filter { $0.name == source }
            guard !candidates.isEmpty else {
                throw .malformed("unknown_source", "There is no source of this name.")
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
        throw first.map { GatewayRefusal($0) } ?? .malformed("empty", "There is no event in the body.")
    }
}

extension GatewayRefusal {
    /// What is told of bytes that are no event. The detail begins with the place, where there is one.
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
