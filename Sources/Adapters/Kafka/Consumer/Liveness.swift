/// Questions to librdkafka's main thread, one at a time, that prove that it lives.
///
/// Its main thread answers what waits for it, then looks whether the member's session has ended, round after round. So an
/// answer alone does not tell that it has looked; the answer to a question that was asked after the last answer does.
package struct Liveness: Sendable {
    /// How long from one question to the next at least; a little less than the consumer's thread waits.
    package static let interval = Duration.milliseconds(900)

    /// Up to here librdkafka has looked.
    private(set) package var confirmed: ContinuousClock.Instant
    /// When the question was asked that was answered last.
    private var answered: ContinuousClock.Instant
    private var lastAsked: ContinuousClock.Instant?
    private var isWaiting = false

    /// Begins with a sign of life.
    ///
    /// - Parameter now: The present instant.
    package init(at now: ContinuousClock.Instant) {
        self.confirmed = now
        self.answered = now
    }

    /// Says whether to ask now.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: True at most once until ``wasAnswered()``.
    package mutating func shouldAsk(at now: ContinuousClock.Instant) -> Bool {
        guard !isWaiting else { return false }
        // After a standstill the second question follows the first at once.
        let isLate = now - confirmed > Self.interval * 4
        if let lastAsked, !isLate, now - lastAsked < Self.interval { return false }
        isWaiting = true
        lastAsked = now
        return true
    }

    /// Takes note of an answer.
    package mutating func wasAnswered() {
        guard isWaiting, let lastAsked else { return }
        isWaiting = false
        confirmed = answered
        answered = lastAsked
    }
}
