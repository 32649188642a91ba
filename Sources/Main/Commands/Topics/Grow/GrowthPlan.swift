import Kafka
import Publishing
import StrictJSON

/// What has to be carried from partition to partition of a ledger, once its source has more of them.
struct GrowthPlan: Sendable {
    /// A story that moves.
    struct Move: Sendable, Equatable {
        let story: String
        let record: StoryFacts
        let from: Int32
        let to: Int32
        /// What the partition knows where it goes, after a run that was cut off.
        let known: StoryFacts?
    }

    let source: String
    let ledger: String
    /// How many partitions the source has, the ledger has, and both are to have.
    let sourceCount: Int
    let ledgerCount: Int
    let count: Int
    private(set) var moves: [Move] = []
    private(set) var staying = 0
    /// Stories whose records do not lie where their keys say, so that nobody can tell where they will lie.
    private(set) var strangers: [String] = []

    /// Plans.
    ///
    /// - Parameters:
    ///   - source: The topic of events.
    ///   - ledger: Its ledger.
    ///   - sourceCount: How many partitions the source has.
    ///   - ledgerCount: How many the ledger has.
    ///   - count: How many both are to have.
    ///   - stories: All that the ledger knows, each with its partition.
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

    /// Events that wait in stories that move.
    var waiting: Int { moves.reduce(0) { $0 + $1.record.waiting.count } }

    /// Whether all is as it should be.
    var isDone: Bool { moves.isEmpty && sourceCount == count && ledgerCount == count }

    /// The plan for a person.
    var lines: [String] {
        let topics = ["\(source): \(change(sourceCount))", "\(ledger): \(change(ledgerCount))"]
        let stories = "stories: \(moves.count + staying) known, \(moves.count) move"
        guard waiting > 0 else { return topics + [stories] }
        return topics + [
            stories, "events that wait in them: \(waiting), written to \(source) again under their own keys",
        ]
    }

    private func change(_ present: Int) -> String {
        present == count ? "has \(count) partitions" : "grows from \(present) to \(counted(count, "partition"))"
    }

    /// The plan as a JSON object.
    ///
    /// - Parameter isDone: Whether it was carried out.
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
