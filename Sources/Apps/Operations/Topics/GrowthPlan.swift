import NewsflashKafka
package import NewsflashPublishing
import NewsflashStrictJSON

/// The stories that must move to other partitions of a ledger because its source gets more partitions.
package struct GrowthPlan: Sendable {
    /// A story that moves.
    package struct Move: Sendable, Equatable {
        package let story: String
        package let record: StoryFacts
        package let from: Int32
        package let to: Int32
        /// The record in the target partition, if an interrupted run has already written it.
        package let known: StoryFacts?
    }

    package let source: String
    package let ledger: String
    /// The number of partitions of the source, of the ledger, and of both after growing.
    let sourceCount: Int
    let ledgerCount: Int
    package let count: Int
    package private(set) var moves: [Move] = []
    private(set) var staying = 0
    /// Stories whose records are not in the partition of their key, so that their new partition is not known.
    private(set) var strangers: [String] = []
    /// The number of events in partitions whose stories may move that the group has not read.
    package var unread: Int64 = 0
    /// The group that must not have members, and their number; `nil` if it is unknown.
    package var group = ""
    package var members: Int?

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
        var moves: [Move] = []
        for (story, record, partition) in stories.sorted(by: { ($0.partition, $0.story) < ($1.partition, $1.story) }) {
            let target = Self.partition(of: story, among: count)
            guard target != partition else {
                staying += 1
                continue
            }
            let known = known[Place(story: story, partition: target)]
            moves.append(Move(story: story, record: record, from: partition, to: target, known: known))
        }
        // If the ledger has grown already, the earlier number is one that explains the places of all stories.
        let earlier = ledgerCount < count ? [ledgerCount] : Array(1..<max(2, count))
        let strangers = earlier.map { number in
            moves.filter { Self.partition(of: $0.story, among: number) != $0.from }.map(\.story)
        }
        self.strangers = strangers.min { $0.count < $1.count } ?? []
        if self.strangers.isEmpty { self.moves = moves }
    }

    /// The partition of a story's events.
    private static func partition(of story: String, among count: Int) -> Int32 {
        KafkaPartitioner.partition(ofKey: Array(StoryKey.story(of: story).utf8), among: count)
    }

    private struct Place: Hashable {
        let story: String
        let partition: Int32
    }

    /// The number of waiting events in stories that move.
    package var waiting: Int { moves.reduce(0) { $0 + $1.record.waiting.count } }

    /// Whether nothing has to be done.
    package var isDone: Bool { moves.isEmpty && sourceCount == count && ledgerCount == count }

    /// Steps that a person must take first, in order.
    var conditions: [String] {
        let text = "stop all workers of the group \(group): \(members == 1 ? "1 runs" : "\(members ?? 0) run")"
        return [waitForWorkers, members ?? 0 > 0 ? text : nil].compactMap(\.self)
    }

    /// Why the growth is not possible, if no worker runs.
    func obstacles(ignoringUnread: Bool) -> [String] {
        [ignoringUnread ? nil : waitForWorkers].compactMap(\.self) + findings.map(\.message)
    }

    private var waitForWorkers: String? {
        guard unread > 0 else { return nil }
        return
            "let the workers read all: \(counted(Int(unread), "event")) of \(source) not read yet, and their stories may move "
            + "to other partitions. If no worker can start, use --ignore-unread; then some of these events may be sent twice"
    }

    /// The records with unknown partitions, which prevent that partitions are added.
    var findings: [TopicFinding] {
        guard let first = strangers.first else { return [] }
        let message =
            "\(counted(strangers.count, "record")) in other partitions than their story's key, such as that of '\(first)': "
            + "events are not keyed by story, or their producer does not use Kafka's own partitioner, so the new partitions "
            + "of stories are unknown, and none can be added"
        return [TopicFinding(topic: ledger, weight: isDone ? .advice : .problem, message: message)]
    }

    /// The moves for people.
    package var lines: [String] {
        guard !isDone, moves.count + staying > 0 else { return [] }
        let stories = "\(moves.count) of \(moves.count + staying) \(moves.count + staying == 1 ? "story" : "stories")"
        let again =
            waiting > 0
            ? ", \(counted(waiting, "waiting event")) in them written to \(source) again with their own keys" : ""
        return ["\(ledger): \(stories)\(again)"]
    }

    /// Writes the moves, and what a person must do first.
    func write(to writer: inout JSONWriter) {
        writer.name("stories")
        writer.beginObject()
        writer.member("moving", Int64(moves.count))
        writer.member("staying", Int64(staying))
        writer.member("waiting", Int64(waiting))
        writer.endObject()
        writer.texts("first", conditions)
    }
}
