/// Questions to librdkafka's main thread, one at a time, which prove that the thread runs.
///
/// The main thread answers the questions in its queue, then checks whether the member's session has ended, in a loop. So an
/// answer alone does not prove such a check; the answer to a question that was asked after the last answer does.
package struct Liveness: Sendable {
    /// The minimum time from one question to the next; a little less than the consumer's thread waits.
    package static let interval = Duration.milliseconds(900)

    /// The time up to which librdkafka has checked the session.
    private(set) package var confirmed: ContinuousClock.Instant
    /// When the last answered question was asked.
    private var answered: ContinuousClock.Instant
    private var lastAsked: ContinuousClock.Instant?
    private var isWaiting = false

    /// Starts as if an answer had come now.
    ///
    /// - Parameter now: The current time.
    package init(at now: ContinuousClock.Instant) {
        self.confirmed = now
        self.answered = now
    }

    /// Returns whether to ask now.
    ///
    /// - Parameter now: The current time.
    /// - Returns: True at most once until ``wasAnswered()``.
    package mutating func shouldAsk(at now: ContinuousClock.Instant) -> Bool {
        guard !isWaiting else { return false }
        // After a suspension the second question follows the first at once.
        let isLate = now - confirmed > Self.interval * 4
        if let lastAsked, !isLate, now - lastAsked < Self.interval { return false }
        isWaiting = true
        lastAsked = now
        return true
    }

    /// Records an answer.
    package mutating func wasAnswered() {
        guard isWaiting, let lastAsked else { return }
        isWaiting = false
        confirmed = answered
        answered = lastAsked
    }
}
