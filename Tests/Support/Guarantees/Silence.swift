package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The times for which a hub accepted nothing of the partitions between two instants, under continuous load.
package struct Silence: Sendable {
    /// The longest gap of each partition.
    package let gaps: [TopicPartition: Duration]
    /// The beginning of each longest gap.
    package let beginnings: [TopicPartition: Timestamp]

    /// Checks the acceptances between two instants. The gaps at both ends count too.
    package init(
        _ evidence: Evidence,
        of partitions: [TopicPartition],
        at hub: String = Evidence.onlyHub,
        from start: Timestamp,
        to end: Timestamp
    ) {
        var gaps: [TopicPartition: Duration] = [:]
        var beginnings: [TopicPartition: Timestamp] = [:]
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

    /// The longest gap of the partitions.
    ///
    /// - Parameter isCounted: Returns whether a partition counts.
    /// - Returns: The longest gap; zero if no partition counts.
    package func longest(of isCounted: (TopicPartition) -> Bool = { _ in true }) -> Duration {
        gaps.filter { isCounted($0.key) }.values.max() ?? .zero
    }
}
