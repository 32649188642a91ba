import Timestamps

/// The time in `ServiceBusNotification-ScheduleTime`.
enum ScheduleTime {
    /// The longest time ahead that a send may be scheduled.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-send-push-notifications-scheduled
    static let furthest = Duration.seconds(7 * 86_400)

    /// Parses `2026-01-31T12:00:00` in UTC, optionally with a zone, and with quotes around the `T` as in the Python sample.
    ///
    /// - Parameters:
    ///   - text: The value of the header.
    ///   - now: The current time. A time in the past is accepted and is due at once.
    /// - Returns: The time.
    /// - Throws: 400 if the text is not a time, or is too far ahead.
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
