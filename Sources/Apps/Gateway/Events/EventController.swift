import NewsflashBasics
import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashSigning
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs

/// Receives publishers' events and returns their outcomes.
struct EventController: Sendable {
    let intake: EventValidator
    let writer: EventWriter
    let outcomes: OutcomeFollower
    let mayPublish: @Sendable (GatewayUser) -> Bool
    /// The users who sent each event, as its approvals; `nil` if the names in the events are used.
    let approvals: SignedApprovals?
    /// The number of approvals that each kind needs, and how long an event waits for them.
    let policy: AdmissionPolicy

    /// The user and the request of an event; both are written to the record's headers.
    struct Origin: Sendable {
        let user: GatewayUser
        /// The request's id in the log.
        let request: String
        /// The trace that the request belongs to; `nil` if none is given.
        let trace: TraceParent?
    }

    /// Checks an event and writes it; returns after the brokers' confirmation.
    ///
    /// - Parameters:
    ///   - body: The event, written unchanged unless approvals are added.
    ///   - mediaType: The media type of the body.
    ///   - source: The source of the event, if given.
    ///   - origin: The user and the request.
    /// - Returns: The event.
    /// - Throws: ``GatewayRefusal``.
    func publish(
        _ body: [UInt8],
        mediaType: String,
        source: String?,
        from origin: Origin
    ) async throws(GatewayRefusal) -> NewsEvent {
        try check(origin.user)
        let accepted = try intake.read(body, mediaType: mediaType, source: source)
        var headers = [
            KafkaHeader(name: "newsflash-user", text: origin.user.name),
            KafkaHeader(name: "newsflash-request", text: origin.request),
        ]
        if let trace = origin.trace { headers.append(KafkaHeader(name: TraceParent.header, text: trace.text)) }
        var value = body
        var type = mediaType
        if let approvals, try needsSignature(accepted) {
            var event = accepted.event
            event.approvedBy = approvals.add(
                origin.user,
                to: event,
                topic: accepted.topic,
                for: policy.approvalWait,
                now: .now
            )
            value = EventEncoder.encode(event)
            type = "application/json"
            headers.append(KafkaHeader(name: OwnEvent.headerName, text: "1"))
        }
        headers.insert(KafkaHeader(name: "content-type", text: type), at: 0)
        try await writer.write(to: accepted.topic, key: accepted.event.story, value: value, headers: headers)
        return accepted.event
    }

    /// Whether an event is written with the names of signed-in users as its approvals.
    ///
    /// - Throws: ``GatewayRefusal``, 400, for an event that needs approvals but has another format.
    private func needsSignature(_ accepted: EventValidator.Accepted) throws(GatewayRefusal) -> Bool {
        guard !accepted.isOwnForm else { return true }
        guard policy.approvals[accepted.event.kind, default: 0] > 0 else { return false }
        throw .malformed(
            "approvals_form",
            "Events of this kind need approvals of users, which only newsflash's own event format supports."
        )
    }

    /// Returns the outcome of an event.
    ///
    /// - Parameters:
    ///   - event: The event's ID.
    ///   - user: The signed-in user.
    /// - Returns: The record in the topic of outcomes; `nil` if none exists.
    /// - Throws: ``GatewayRefusal``: 403 for a user who is not a publisher, 503 if outcomes cannot be read now.
    func outcome(of event: String, for user: GatewayUser) throws(GatewayRefusal) -> [UInt8]? {
        try check(user)
        switch outcomes.find(event) {
        case .record(let record): return record
        case .none: return nil
        case .unavailable:
            throw .unavailable("outcomes_unavailable", "Outcomes cannot be read now: try again.", after: .seconds(2))
        }
    }

    private func check(_ user: GatewayUser) throws(GatewayRefusal) {
        guard mayPublish(user) else { throw .forbidden("not_a_publisher", "This user may not publish events.") }
    }
}

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

/// The users who have sent the same event. Each has signed in, so approvals are not merely names in the event.
///
/// Covers only this process, with a memory limit.
final class SignedApprovals: Sendable {
    private struct Entry {
        var users: [String]
        var expires: Instant
    }

    private let entries: Locked<RecentEntries<[UInt8], Entry>>

    /// Creates an empty table.
    ///
    /// - Parameter minimum: The number of the latest events that are kept in any case; at most twice as many are kept. All wait
    ///   equally long, so the events that are dropped first also expire first.
    init(keepingAtLeast minimum: Int = 10_000) {
        entries = Locked(RecentEntries(capacity: 2 * minimum))
    }

    /// The number of events stored.
    var count: Int { entries.withLock { $0.count } }

    /// Adds a user who sends an event.
    ///
    /// - Parameters:
    ///   - user: A signed-in user.
    ///   - event: The event; its own approvals are ignored. An event with a different text is another event.
    ///   - topic: The topic of the event.
    ///   - wait: How long an approval is valid.
    ///   - now: The current instant.
    /// - Returns: The names of all users who have sent the event, including this one, in order.
    func add(
        _ user: GatewayUser,
        to event: NewsEvent,
        topic: String,
        for wait: Duration,
        now: Instant
    ) -> [String] {
        var unsigned = event
        unsigned.approvedBy = []
        let key = SHA256Digest.hash(of: Array(topic.utf8) + [0] + EventEncoder.encode(unsigned))
        return entries.withLock { entries in
            var entry = entries[key] ?? Entry(users: [], expires: now)
            if now >= entry.expires { entry.users = [] }
            if !entry.users.contains(user.name) { entry.users.append(user.name) }
            entry.expires = now + wait
            entries.keep(entry, for: key)
            return entry.users
        }
    }
}
