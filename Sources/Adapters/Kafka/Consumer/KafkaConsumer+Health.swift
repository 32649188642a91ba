extension KafkaConsumer {
    /// When the consumer's thread last served librdkafka: about once a second at least, unless the delegate keeps it.
    public var lastServed: ContinuousClock.Instant { withState { $0.lastServed } }

    /// The latest moment of which it is known that librdkafka has looked after it whether our session had ended, and that the
    /// delegate has heard of it if so. At most about three seconds old, unless the delegate keeps the consumer's thread, the
    /// process stood still, or librdkafka hangs.
    ///
    /// While it is older than a few seconds, others may own our partitions and we have not heard of it: wait with what must
    /// not be done by two owners until it is young again, or the delegate has lost the partitions. A standstill of the whole
    /// machine, such as a suspended virtual one, is noticed only with the next answer to a heartbeat, a tenth of the session
    /// time-out later.
    public var membershipConfirmed: ContinuousClock.Instant { withState { $0.liveness.confirmed } }

    /// How the member stands with its group.
    public var groupState: KafkaGroupState { membership.groupState }

    /// All signs of life, to be judged.
    public var health: KafkaConsumerHealth {
        let (served, confirmed) = withState { ($0.lastServed, $0.liveness.confirmed) }
        return KafkaConsumerHealth(group: groupState, lastServed: served, membershipConfirmed: confirmed)
    }
}
