package import NewsflashEvents
package import NewsflashTopicPartitions

/// Selects the records of a replay.
package struct ReplayFilter: Sendable {
    package var offsets: [ReplayRange]
    package var story: String?
    package var event: String?
    package var category: String?

    package init(offsets: [ReplayRange], story: String?, event: String?, category: String?) {
        (self.offsets, self.story, self.event, self.category) = (offsets, story, event, category)
    }

    /// Whether a record at this position may be selected.
    package func matches(partition: Int32, offset: Int64) -> Bool {
        offsets.contains(partition: partition, offset: offset)
    }

    /// Whether an event is selected by its content.
    package func matches(_ event: NewsEvent) -> Bool {
        if let story, event.story != story { return false }
        if let id = self.event, event.id != id { return false }
        if let category {
            let codes = event.categories.flatMap(CategoryAlternatives.codes(in:))
            if !codes.contains(category[...]) { return false }
        }
        return true
    }
}

/// A range of offsets in one partition, including the last, as in `--offsets 3@48120..48200`.
package struct ReplayRange: Sendable, Equatable {
    package var partition: Int32
    package var offsets: ClosedRange<Int64>

    /// Parses a range.
    ///
    /// - Parameter text: For example `3@48120..48200`, or `3@48120` for one record.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), partition >= 0 else { return nil }
        let ends = parts[1].replacing("..", with: "@").split(separator: "@", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int64($0) }), first >= 0 else { return nil }
        let last: Int64? = ends.count == 1 ? first : ends.count == 2 ? Int64(ends[1]) : nil
        guard let last, last >= first, last < .max else { return nil }
        self.partition = partition
        offsets = first...last
    }
}

extension [ReplayRange] {
    /// The first offset of each partition, and the offset after its last record.
    ///
    /// - Returns: The bounds for a scan, which also reads the records between two ranges.
    package func ends(
        of topic: String
    ) -> (from: [TopicPartition: Int64], to: [TopicPartition: Int64]) {
        var from: [TopicPartition: Int64] = [:]
        var to: [TopicPartition: Int64] = [:]
        for range in self {
            let partition = TopicPartition(topic: topic, partition: range.partition)
            from[partition] = Swift.min(from[partition] ?? .max, range.offsets.lowerBound)
            to[partition] = Swift.max(to[partition] ?? 0, range.offsets.upperBound + 1)
        }
        return (from, to)
    }

    /// Whether a record is in a range. Without ranges, every record is.
    package func contains(partition: Int32, offset: Int64) -> Bool {
        isEmpty || contains { $0.partition == partition && $0.offsets.contains(offset) }
    }
}
