/// Detects log lines of librdkafka that repeat the previous line.
///
/// A broker that is starting answers some questions with "retrying" a hundred times a second. Once a second is enough.
struct LogDeduplicator {
    private static let pause = Duration.seconds(1)
    private var latest: (facility: String, message: String, at: ContinuousClock.Instant)?

    /// Records a line.
    ///
    /// - Parameters:
    ///   - facility: librdkafka's word for the kind of line.
    ///   - message: The text.
    ///   - now: The current time.
    /// - Returns: Whether it should be logged.
    mutating func isNew(_ facility: String, _ message: String, now: ContinuousClock.Instant) -> Bool {
        if let latest, latest.message == message, latest.facility == facility, now - latest.at < Self.pause {
            return false
        }
        latest = (facility, message, now)
        return true
    }
}
