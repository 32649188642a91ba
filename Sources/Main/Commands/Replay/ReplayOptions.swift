import CommandLineArguments
import NewsEvents
import Timestamps
import TopicPartitions

/// The options that select the events of a replay.
struct ReplayOptions: ParsableArguments {
    @OptionGroup var times: TimeOptions

    @Option(
        help: ArgumentHelp(
            "Records of a partition by their offsets, including the last one.",
            valueName: "partition@first..last"
        )
    )
    var offsets: [ReplayRange] = []

    @Option(help: "Events of this story.")
    var story: String?

    @Option(help: ArgumentHelp("The event with this id.", valueName: "id"))
    var event: String?

    @Option(help: ArgumentHelp("Events with this category, as the newsroom writes it.", valueName: "code"))
    var category: String?

    func validate() throws {
        guard offsets.isEmpty || (times.since == nil && times.until == nil) else {
            throw ValidationError("Give either '--offsets' or times, not both.")
        }
        guard !offsets.isEmpty || times.since != nil || story != nil || event != nil else {
            throw ValidationError("Say what to replay: '--since', '--offsets', '--story' or '--event'.")
        }
    }

    /// Whether only times are given. Then it is not an error if no event is found.
    var isOnlyTimes: Bool { offsets.isEmpty && story == nil && event == nil && category == nil }

    /// The conditions on a record, except its time.
    var filter: ReplayFilter { ReplayFilter(offsets: offsets, story: story, event: event, category: category) }

    /// The options as typed, so that the same command gets the same id again.
    var text: String {
        let named: [(String, String?)] = [
            ("since", times.since), ("until", times.until), ("story", story), ("event", event), ("category", category),
            ("offsets", offsets.isEmpty ? nil : offsets.map { "\($0.partition)@\($0.offsets)" }.joined(separator: ",")),
        ]
        return named.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "\n")
    }
}

/// Selects the records of a replay.
struct ReplayFilter: Sendable {
    var offsets: [ReplayRange]
    var story: String?
    var event: String?
    var category: String?

    /// Whether a record at this position may be selected.
    func matches(partition: Int32, offset: Int64) -> Bool { offsets.contains(partition: partition, offset: offset) }

    /// Whether an event is selected by its content.
    func matches(_ event: NewsEvent) -> Bool {
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
struct ReplayRange: ExpressibleByArgument, Sendable, Equatable {
    var partition: Int32
    var offsets: ClosedRange<Int64>

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
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
    func ends(
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
    func contains(partition: Int32, offset: Int64) -> Bool {
        isEmpty || contains { $0.partition == partition && $0.offsets.contains(offset) }
    }
}
