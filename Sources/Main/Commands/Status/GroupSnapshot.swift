import Kafka
import Publishing
import StrictJSON
import Timestamps
import Worker

/// The state of a group of workers according to Kafka.
struct GroupSnapshot: Sendable {
    /// One partition of a topic of events.
    struct Partition: Sendable {
        var place: KafkaTopicPartition
        /// The next offset to read; `nil` if the group has committed nothing.
        var committed: Int64?
        var end: Int64
        /// The number of records from there to the end.
        var records: Int64
        /// The age of the first of these; `nil` if it is not known.
        var age: Duration?
    }

    /// The newest outcome.
    struct Newest: Sendable {
        var place: KafkaTopicPartition
        var at: Timestamp
    }

    var group: String
    var cluster: String
    var now: Timestamp
    var partitions: [Partition]
    /// The pauses of sources; `nil` if the control topic is missing.
    var holds: [ControlRecord]?
    /// `nil` if there is no outcome.
    var newest: Newest?

    /// How long a record may wait before the group counts as not well.
    static let patience = Duration.seconds(60)

    var isWell: Bool {
        holds?.isEmpty == true && partitions.allSatisfy { $0.records == 0 || ($0.age ?? .zero) <= Self.patience }
    }

    /// The state for people.
    var lines: [String] {
        let records = partitions.reduce(0) { $0 &+ $1.records }
        let oldest = partitions.compactMap(\.age).max() ?? .zero
        var lines = [
            "group \(group) at \(cluster): \(isWell ? "well" : "NOT WELL")",
            "  lag        \(WorkerFacts.words(records, seconds: oldest.inSeconds))",
        ]
        for partition in partitions { lines.append("  partition  \(partition.line)") }
        switch holds {
        case nil:
            lines.append("  pauses     unknown: the control topic is missing; make it with 'newsflash topics create'")
        case let holds? where holds.isEmpty: lines.append("  pauses     none")
        case let holds?: for hold in holds { lines.append("  pauses     \(hold.line())") }
        }
        let newest = newest.map { "written \((now - $0.at).inWords) ago, at \($0.place)" } ?? "none yet"
        return lines + ["  outcomes   newest: \(newest)"]
    }

    /// The state as a JSON object.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("group", group)
        writer.member("cluster", cluster)
        writer.name("well")
        writer.value(isWell)
        writer.member("at", now.rfc3339)
        writer.name("partitions")
        writer.beginArray()
        for partition in partitions { partition.write(to: &writer) }
        writer.endArray()
        writer.name("orders")
        writer.beginArray()
        for hold in holds ?? [] { writer.raw(ControlOrderCodec.encode(.source(hold))) }
        writer.endArray()
        writer.member("newestOutcomeAt", newest?.at.rfc3339)
        writer.endObject()
        return writer.bytes
    }
}

extension GroupSnapshot.Partition {
    fileprivate var line: String {
        let start = committed.map { "committed \($0)" } ?? "nothing committed"
        let lag = records == 0 ? "no lag" : WorkerFacts.words(records, seconds: age?.inSeconds ?? 0)
        return "\(place): \(start) of \(end); \(lag)"
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("partition", place.description)
        writer.member("committed", committed)
        writer.member("end", end)
        writer.name("lag")
        writer.beginObject()
        writer.member("records", records)
        if let age {
            writer.name("seconds")
            writer.milliseconds(age.inSeconds)
        }
        writer.endObject()
        writer.endObject()
    }
}
