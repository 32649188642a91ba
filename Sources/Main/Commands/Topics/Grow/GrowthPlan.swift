import Kafka
import Publishing
import StrictJSON

/// The stories that must move to other partitions of a ledger because its source gets more partitions.
struct GrowthPlan: Sendable {
    /// A story that moves.
    struct Move: Sendable, Equatable {
        let story: String
        let record: StoryFacts
        let from: Int32
        let to: Int32
        /// The record in the target partition, if an interrupted run has already written it.
        let known: StoryFacts?
    }

    let source: String
    let ledger: String
    /// The number of partitions of the source, of the ledger, and of both after growing.
    let sourceCount: Int
    let ledgerCount: Int
    let count: Int
    private(set) var moves: [Move] = []
    private(set) var staying = 0
    /// Stories whose records are not in the partition of their key, so that their new partition is not known.
    private(set) var strangers: [String] = []

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - source: The topic of events.
    ///   - ledger: The ledger of the source.
    ///   - sourceCount: The number of partitions of the source.
    ///   - ledgerCount: The number of partitions of the ledger.
    ///   - count: The number of partitions of both after growing.
    ///   - stories: All stories in the ledger, each with its partition.
    init(
        source: String,
        ledger: String,
        sourceCount: Int,
        ledgerCount: Int,
        count: Int,
        stories: [(story: String, record: StoryFacts, partition: Int32)]
    ) {
        self.source = source
        self.ledger = ledger
        self.sourceCount = sourceCount
        self.ledgerCount = ledgerCount
        self.count = count
        let known = Dictionary(stories.map { (Place(story: $0.story, partition: $0.partition), $0.record) }) { $1 }
        for (story, record, partition) in stories.sorted(by: { ($0.partition, $0.story) < ($1.partition, $1.story) }) {
            let key = Array(StoryKey.story(of: story).utf8)
            let target = KafkaPartitioner.partition(ofKey: key, among: count)
            if target == partition {
                staying += 1
            } else if ledgerCount < count, KafkaPartitioner.partition(ofKey: key, among: ledgerCount) != partition {
                strangers.append(story)
            } else {
                let known = known[Place(story: story, partition: target)]
                moves.append(Move(story: story, record: record, from: partition, to: target, known: known))
            }
        }
    }

    private struct Place: Hashable {
        let story: String
        let partition: Int32
    }

    /// The number of waiting events in stories that move.
    var waiting: Int { moves.reduce(0) { $0 + $1.record.waiting.count } }

    /// Whether nothing has to be done.
    var isDone: Bool { moves.isEmpty && sourceCount == count && ledgerCount == count }

    /// The plan for people.
    var lines: [String] {
        let topics = ["\(source): \(change(sourceCount))", "\(ledger): \(change(ledgerCount))"]
        let stories = "stories: \(moves.count + staying) known, \(moves.count) move"
        guard waiting > 0 else { return topics + [stories] }
        return topics + [
            stories, "waiting events in them: \(waiting), written to \(source) again with their own keys",
        ]
    }

    private func change(_ present: Int) -> String {
        present == count ? "has \(count) partitions" : "grows from \(present) to \(counted(count, "partition"))"
    }

    /// The plan as a JSON object.
    ///
    /// - Parameter isDone: Whether the plan was carried out.
    /// - Returns: One line.
    func json(isDone: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("source", source)
        writer.member("ledger", ledger)
        writer.member("sourcePartitions", Int64(sourceCount))
        writer.member("ledgerPartitions", Int64(ledgerCount))
        writer.member("partitions", Int64(count))
        writer.member("moving", Int64(moves.count))
        writer.member("staying", Int64(staying))
        writer.member("waiting", Int64(waiting))
        writer.name("done")
        writer.value(isDone)
        writer.endObject()
        return writer.bytes
    }
}
