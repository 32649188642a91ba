package import Kafka
package import Timestamps

/// How long a hub accepted nothing of the partitions between two instants, under a load that never stops.
package struct Silence: Sendable {
    /// The longest gap of each partition.
    package let gaps: [KafkaTopicPartition: Duration]
    /// When each of them began.
    package let beginnings: [KafkaTopicPartition: Timestamp]

    /// Looks at the acceptances between two instants; the time from and to the ends counts too.
    package init(
        _ evidence: Evidence,
        of partitions: [KafkaTopicPartition],
        at hub: String = Evidence.onlyHub,
        from start: Timestamp,
        to end: Timestamp
    ) {
        var gaps: [KafkaTopicPartition: Duration] = [:]
        var beginnings: [KafkaTopicPartition: Timestamp] = [:]
        for partition in partitions {
            var last = start
            var longest = Duration.zero
            var beginning = start
            func look(to time: Timestamp) {
                guard time - last > longest else { return }
                longest = time - last
                beginning = last
            }
            for number in evidence.timeline[partition] ?? [] where evidence.acceptances[number].hub == hub {
                let time = evidence.acceptances[number].time
                guard time > start else { continue }
                guard time < end else { break }
                look(to: time)
                last = time
            }
            look(to: end)
            gaps[partition] = longest
            beginnings[partition] = beginning
        }
        self.gaps = gaps
        self.beginnings = beginnings
    }

    /// The longest of all.
    ///
    /// - Parameter isCounted: Which partitions count.
    /// - Returns: Zero if none does.
    package func longest(of isCounted: (KafkaTopicPartition) -> Bool = { _ in true }) -> Duration {
        gaps.filter { isCounted($0.key) }.values.max() ?? .zero
    }
}
