import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTopicPartitions

/// A record of the outcomes topic, in the form that a dashboard reads.
struct Outcome: Sendable, Hashable {
    var event: String
    var story: String
    var revision: Int64
    var kind: String
    var outcome: String
    var reason: String?
    var isFinal: Bool
    var warnings: [String]
    var topic: String
    var partition: Int64
    var offset: Int64
    /// The time of the decision.
    var at: String
    /// The status and the number of attempts of each target.
    var targets: [Target]

    struct Target: Sendable, Hashable {
        var status: String
        var attempts: Int64
    }

    init?(_ message: KafkaMessage) {
        guard let bytes = message.value, let document = try? JSONReader.read(bytes) else { return nil }
        guard let outcome = document[member: "outcome"]?.string, let isFinal = document[member: "final"]?.bool else {
            return nil
        }
        self.event = document[member: "event"]?.string ?? ""
        self.story = document[member: "story"]?.string ?? ""
        self.revision = document[member: "revision"]?.int64 ?? 0
        self.kind = document[member: "kind"]?.string ?? ""
        self.outcome = outcome
        self.reason = document[member: "reason"]?.string
        self.isFinal = isFinal
        self.warnings = document[member: "warn"]?.array?.compactMap(\.string) ?? []
        self.topic = document[member: "origin"]?[member: "topic"]?.string ?? ""
        self.partition = document[member: "origin"]?[member: "partition"]?.int64 ?? -1
        self.offset = document[member: "origin"]?[member: "offset"]?.int64 ?? -1
        self.at = document[member: "at"]?.string ?? ""
        self.targets = (document[member: "targets"]?.array ?? []).map { target in
            Target(
                status: target[member: "status"]?.string ?? "",
                attempts: target[member: "attempts"]?.int64 ?? 0
            )
        }
    }
}

extension Newsroom {
    /// The outcomes read so far.
    var outcomes: [Outcome] { reader.messages.outcomes(in: names.outcomes) }

    /// The dead letters read so far.
    var deadLetters: [KafkaMessage] { reader.messages.filter { $0.topic == names.deadLetters } }

    /// Waits for a number of final outcomes.
    func finalOutcomes(_ count: Int) async throws -> [Outcome] {
        let topic = names.outcomes
        return try await reader.log.wait { events in
            let final = events.messages.outcomes(in: topic).filter(\.isFinal)
            return final.count >= count ? final : nil
        }
    }

    /// Reads everything that was written before the call; call it after the worker has stopped.
    func readToTheEnd() async throws {
        for topic in [names.outcomes, names.deadLetters] {
            let end = try await end(of: topic)
            try await reader.log.wait { events in
                end == 0 || events.messages.contains { $0.topic == topic && $0.offset == end - 1 } ? () : nil
            }
        }
    }

    /// The committed offsets of the group and the end offsets of the source topic, by partition.
    func progress() async throws -> (committed: [Int64], ends: [Int64]) {
        let partitions = (0..<names.partitions).map { TopicPartition(topic: names.source, partition: Int32($0)) }
        var committed: [Int64] = []
        var ends: [Int64] = []
        try await cluster.withConsumer(assigned: [:], cluster.consumer(group: names.group)) { consumer, _ in
            let offsets = try await consumer.committedOffsets(of: partitions)
            committed = partitions.map { offsets[$0] ?? 0 }
        }
        for partition in partitions { ends.append(try await end(of: names.source, partition: partition.partition)) }
        return (committed, ends)
    }
}

extension [KafkaMessage] {
    func outcomes(in topic: String) -> [Outcome] {
        filter { $0.topic == topic }.compactMap(Outcome.init)
    }
}

extension SendRecord {
    /// A property of the template send.
    func property(_ name: String) -> String? {
        (try? JSONReader.read(body))?[member: name]?.string
    }
}
