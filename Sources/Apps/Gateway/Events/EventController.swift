import Kafka
import NewsEvents
import NotificationHubs
import Publishing
import Timestamps

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
