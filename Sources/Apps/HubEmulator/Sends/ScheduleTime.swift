import Timestamps

/// The time in `ServiceBusNotification-ScheduleTime`.
enum ScheduleTime {
    /// How far ahead a send may be scheduled.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-send-push-notifications-scheduled
    static let furthest = Duration.seconds(7 * 86_400)

    /// Reads `2026-01-31T12:00:00` in UTC, also with a zone, and with quotes around the `T` as the Python sample has them.
    ///
    /// - Parameters:
    ///   - text: The header's value.
    ///   - now: The present instant; a time before it is now.
    /// - Returns: The instant.
    /// - Throws: 400 for a text that is no time, or one that is too far ahead.
    static func read(_ text: String?, now: Timestamp) throws(HubFailure) -> Timestamp {
        guard let text else { throw HubFailure(400, "The header ServiceBusNotification-ScheduleTime is missing.") }
        let plain = text.filter { $0 != "'" }
        guard let due = Timestamp(rfc3339: plain) ?? Timestamp(rfc3339: plain + "Z") else {
            throw HubFailure(
                400,
                "The value of the header ServiceBusNotification-ScheduleTime is no time such as 2026-01-31T12:00:00."
            )
        }
        guard due <= now + furthest else {
            throw HubFailure(400, "A notification can be scheduled at most 7 days ahead.")
        }
        return due
    }
}
