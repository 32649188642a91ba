/// Tells lines of librdkafka's log that say again what the one before has just said.
///
/// A broker that starts answers some questions with "retrying" a hundred times a second. Once a second is enough to know.
struct LogRepeats {
    private static let pause = Duration.seconds(1)
    private var latest: (facility: String, message: String, at: ContinuousClock.Instant)?

    /// Takes note of a line.
    ///
    /// - Parameters:
    ///   - facility: What of librdkafka says so.
    ///   - message: What it says.
    ///   - now: When.
    /// - Returns: Whether it is to be told.
    mutating func isNew(_ facility: String, _ message: String, now: ContinuousClock.Instant) -> Bool {
        if let latest, latest.message == message, latest.facility == facility, now - latest.at < Self.pause {
            return false
        }
        latest = (facility, message, now)
        return true
    }
}
