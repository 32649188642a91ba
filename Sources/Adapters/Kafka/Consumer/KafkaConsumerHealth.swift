/// The state of a member in its group.
public struct KafkaGroupState: Sendable, Hashable {
    /// The phases of a membership.
    public enum Phase: String, Sendable, CaseIterable {
        /// Not a member: nothing is subscribed to, or the consumer is closed.
        case outside
        /// Waiting for an assignment, or giving up partitions before the next one.
        case joining
        /// The member has its assignment, which may be empty.
        case steady
        /// Closing.
        case leaving
    }

    /// The current phase.
    public let phase: Phase
    /// When that phase began.
    public let since: ContinuousClock.Instant
    /// librdkafka's word for the current step, such as `wait-sync`; for messages.
    public let step: String
    /// When the broker that coordinates the group became available, without interruption since; `nil` if it is unavailable or
    /// was never found, as in an outage of Kafka.
    public internal(set) var coordinatorSince: ContinuousClock.Instant?
    /// Whether librdkafka reports the steps of a join in lines that are understood. If not, ``phase`` only follows the
    /// assignments, ``step`` is outdated, and a join that hangs is not noticed.
    public internal(set) var isReported = true
}

/// The signs of life of a consumer, for probes and a watchdog. librdkafka 2.0.2 is known to hang within rebalances and while it
/// closes; only ending the process helps then.
public struct KafkaConsumerHealth: Sendable, Hashable {
    /// The result of a check.
    public enum Verdict: Sendable, Hashable {
        /// Nothing is wrong.
        case fine
        /// Not at work, which may be normal, and the reason.
        case waiting(String)
        /// Longer without a sign of life than allowed, and the reason.
        case hung(String)
    }

    /// The state of the member in its group.
    public let group: KafkaGroupState
    /// See ``KafkaConsumer/lastServed``.
    public let lastServed: ContinuousClock.Instant
    /// See ``KafkaConsumer/membershipConfirmed``.
    public let membershipConfirmed: ContinuousClock.Instant

    /// Evaluates the signs of life.
    ///
    /// After a suspension of the whole process all signs are old. So act on ``Verdict/hung(_:)`` only if it is returned twice,
    /// a few seconds apart.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - longestJoin: How long joining may take, such as several session time-outs. The time without a coordinator does not
    ///     count: an outage of Kafka is not a hang.
    ///   - longestSilence: How long a thread may be without a sign of life; longer than a delegate may take to answer a
    ///     revocation.
    /// - Returns: The worst of the verdicts that apply.
    public func verdict(
        at now: ContinuousClock.Instant,
        longestJoin: Duration,
        longestSilence: Duration
    ) -> Verdict {
        guard group.phase == .joining || group.phase == .steady else { return .fine }
        if now - lastServed > longestSilence {
            return .hung("the consumer's thread has been held for \((now - lastServed).components.seconds) s")
        }
        if now - membershipConfirmed > longestSilence {
            return .hung("librdkafka has not answered for \((now - membershipConfirmed).components.seconds) s")
        }
        guard group.phase == .joining else { return .fine }
        let pause = "joining the group for \((now - group.since).components.seconds) s"
        guard group.isReported else { return .waiting("\(pause), in unknown steps") }
        let reason = "\(pause) (\(group.step))"
        guard let coordinator = group.coordinatorSince else { return .waiting("\(reason), without a coordinator") }
        return now - max(group.since, coordinator) > longestJoin ? .hung(reason) : .waiting(reason)
    }
}

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
    package init(at now: ContinuousClock.Instant) {
        self.confirmed = now
        self.answered = now
    }

    /// Returns whether to ask now.
    ///
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

extension KafkaConsumer {
    /// When the consumer's thread last served librdkafka: at least about once a second, unless the delegate blocks it.
    public var lastServed: ContinuousClock.Instant { withState { $0.lastServed } }

    /// The latest time at which librdkafka is known to have checked whether our session had ended; the delegate was informed if
    /// it had. At most about three seconds old, unless the delegate blocks the consumer's thread, the process was suspended, or
    /// librdkafka hangs.
    ///
    /// While it is older than a few seconds, others may own our partitions without our knowledge: delay everything that two
    /// owners must not do until it is recent again, or the delegate has lost the partitions. A suspension of the whole machine,
    /// such as of a virtual one, is noticed only with the next answer to a heartbeat, a tenth of the session time-out later.
    public var membershipConfirmed: ContinuousClock.Instant { withState { $0.liveness.confirmed } }

    /// The state of the member in its group.
    public var groupState: KafkaGroupState { membership.groupState }

    /// All signs of life, for ``KafkaConsumerHealth/verdict(at:longestJoin:longestSilence:)``.
    public var health: KafkaConsumerHealth {
        let (served, confirmed) = withState { ($0.lastServed, $0.liveness.confirmed) }
        return KafkaConsumerHealth(group: groupState, lastServed: served, membershipConfirmed: confirmed)
    }
}
