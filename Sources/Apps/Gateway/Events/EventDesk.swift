import Kafka
import NotificationHubs

/// Takes events of publishers, and tells what became of them.
struct EventDesk: Sendable {
    let intake: EventIntake
    let writer: EventWriter
    let outcomes: OutcomeTail
    let mayPublish: @Sendable (GatewayUser) -> Bool

    /// Checks an event and writes it; returns once the brokers have it.
    ///
    /// - Parameters:
    ///   - body: As it is to be written.
    ///   - mediaType: That of the body.
    ///   - source: The source that it is for.
    ///   - user: Signed in.
    /// - Returns: Its id and story.
    /// - Throws: ``GatewayRefusal``.
    func publish(
        _ body: [UInt8],
        mediaType: String,
        source: String?,
        by user: GatewayUser
    ) async throws(GatewayRefusal) -> EventIntake.Accepted {
        try check(user)
        let event = try intake.read(body, mediaType: mediaType, source: source)
        try await writer.write(
            to: event.topic,
            key: event.story,
            value: body,
            headers: [KafkaHeader(name: "content-type", text: mediaType)]
        )
        return event
    }

    /// What became of an event.
    ///
    /// - Parameters:
    ///   - event: The event's id.
    ///   - user: Signed in.
    /// - Returns: The record of the topic of outcomes; nothing while there is none.
    /// - Throws: ``GatewayRefusal``, 403 for who is no publisher.
    func outcome(of event: String, for user: GatewayUser) throws(GatewayRefusal) -> [UInt8]? {
        try check(user)
        return outcomes.record(of: event)
    }

    private func check(_ user: GatewayUser) throws(GatewayRefusal) {
        guard mayPublish(user) else { throw .forbidden("not_a_publisher", "This user may not publish events.") }
    }
}
