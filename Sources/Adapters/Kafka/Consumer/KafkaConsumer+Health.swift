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
