import NewsflashEvents
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

extension NewsEvent {
    /// An event with defaults for the members that a test does not use.
    static func sample(
        _ id: String,
        story: String? = nil,
        revision: Int64 = 1,
        kind: EventKind = .alert,
        urgency: Int? = nil,
        published: String = "2026-03-02T08:00:00Z",
        embargo: String? = nil,
        expires: String? = nil,
        categories: [String] = ["world"],
        headline: String? = nil,
        mode: EventMode = .live
    ) -> NewsEvent {
        NewsEvent(
            id: id,
            source: "https://cms.example.org/desk",
            story: story ?? "story-of-\(id)",
            revision: revision,
            kind: kind,
            urgency: urgency,
            published: Timestamp(rfc3339: published) ?? Timestamp(seconds: 0),
            embargo: embargo.flatMap { Timestamp(rfc3339: $0) },
            expires: expires.flatMap { Timestamp(rfc3339: $0) },
            categories: categories,
            text: [EventText(language: "en", headline: headline ?? "Headline of \(id)")],
            mode: mode
        )
    }
}

extension HubReply {
    static let accepted = answer(201)
    static let refused = answer(400)
    static let unauthorized = answer(401)
    static let forbidden = answer(403)
    static let notFound = answer(404)
    static let unavailable = answer(503)
    static let throttledWithoutPause = answer(429)
    /// A request that was never written.
    static let notSent = HubClient.reply(
        to: .failure(HTTPTransportError(.notSentInTime, "too late", mayHaveBeenReceived: false)),
        now: Timestamp(seconds: 0)
    )
    /// A connection that was cut after the request was written.
    static let unknown = HubClient.reply(
        to: .failure(HTTPTransportError(.connectionLost, "cut", mayHaveBeenReceived: true)),
        now: Timestamp(seconds: 0)
    )

    static func unavailable(after pause: Duration) -> HubReply {
        answer(503, headers: [HTTPHeaders.Field("Retry-After", "\(pause.components.seconds)")])
    }

    static func throttled(after pause: Duration) -> HubReply {
        answer(429, headers: [HTTPHeaders.Field("Retry-After", "\(pause.components.seconds)")])
    }

    private static func answer(_ status: Int, headers: HTTPHeaders = []) -> HubReply {
        HubClient.reply(to: .success(HTTPResponse(status: status, headers: headers)), now: Timestamp(seconds: 0))
    }
}
