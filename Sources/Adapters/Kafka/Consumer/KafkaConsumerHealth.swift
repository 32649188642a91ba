/// How a member stands with its group.
public struct KafkaGroupState: Sendable, Hashable {
    /// The parts of a member's life.
    public enum Phase: String, Sendable, CaseIterable {
        /// Not a member: nothing was subscribed to, or the consumer is closed.
        case outside
        /// On the way to an assignment, or giving partitions up on the way to the next one.
        case joining
        /// The assignment stands; it may be empty.
        case steady
        /// Closing.
        case leaving
    }

    /// The part of its life.
    public let phase: Phase
    /// When that part began.
    public let since: ContinuousClock.Instant
    /// The word of librdkafka for its present step, such as `wait-sync`; for messages.
    public let step: String
    /// Since when the broker that coordinates the group has been there without a break; `nil` if it is away or was never found,
    /// as in an outage of Kafka.
    public internal(set) var coordinatorSince: ContinuousClock.Instant?
    /// Whether librdkafka reports the steps of a join in lines that are understood. If not, ``phase`` follows the assignments
    /// alone, ``step`` is old, and a join that hangs is not noticed.
    public internal(set) var isReported = true
}

/// Signs of life of a consumer, for probes and a watchdog: librdkafka 2.0.2 is known to hang within rebalances and while it
/// closes, and nothing but the end of the process helps then.
public struct KafkaConsumerHealth: Sendable, Hashable {
    /// What the signs say.
    public enum Verdict: Sendable, Hashable {
        /// Nothing is wrong.
        case fine
        /// Not at work, which may be normal; with the reason.
        case waiting(String)
        /// Longer without a sign than it may be; with the reason.
        case hung(String)
    }

    /// How the member stands with its group.
    public let group: KafkaGroupState
    /// See ``KafkaConsumer/lastServed``.
    public let lastServed: ContinuousClock.Instant
    /// See ``KafkaConsumer/membershipConfirmed``.
    public let membershipConfirmed: ContinuousClock.Instant

    /// Judges the signs.
    ///
    /// A process that was stopped as a whole finds all signs old when it goes on. So act on ``Verdict/hung(_:)`` only when
    /// it was said twice, a few seconds apart.
    ///
    /// - Parameters:
    ///   - now: The present instant.
    ///   - longestJoin: How long the way to an assignment may take, such as some times the session time-out. The time without
    ///     a coordinator does not count: an outage of Kafka is not a hang.
    ///   - longestSilence: How long a thread may be without a sign of life; more than a delegate may take to answer a
    ///     revocation.
    /// - Returns: The first of the reasons, the worst first.
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
