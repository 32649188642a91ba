package import Kafka
import StrictJSON

/// Makes missing topics and does not change the others.
package struct TopicMaker: Sendable {
    let cluster: KafkaConfiguration
    /// The number of partitions of a new topic. A ledger gets that of its source instead.
    let partitions: Int
    /// The replication factor of a new topic; `nil` for the default of the brokers.
    let replicationFactor: Int?

    /// How often the cluster is queried for new topics; with the pauses, at most five seconds.
    private static let looks = 20
    private static let pauseBetweenLooks = Duration.milliseconds(250)

    /// Creates a maker.
    ///
    /// - Parameters:
    ///   - cluster: The brokers.
    ///   - partitions: The number of partitions of a new topic.
    ///   - replicationFactor: The replication factor of a new topic; `nil` for the default of the brokers.
    package init(cluster: KafkaConfiguration, partitions: Int, replicationFactor: Int?) {
        (self.cluster, self.partitions, self.replicationFactor) = (cluster, partitions, replicationFactor)
    }

    /// The result for one topic.
    package struct Answer: Sendable {
        enum Result: Sendable {
            case made(partitions: Int)
            case exists
            case failed(KafkaError)
        }

        let needed: NeededTopic
        let result: Result
    }

    /// Makes the missing topics.
    ///
    /// - Parameter needed: The topics. Ledgers are made last, when the number of partitions of their sources is known.
    /// - Returns: One answer for each topic.
    /// - Throws: ``OperationError`` if the cluster cannot be queried.
    package func make(_ needed: [NeededTopic]) async throws(OperationError) -> [Answer] {
        let present = try await TopicSurvey.present(needed, at: cluster, withSettings: false)
        var answers = try await make(present.filter { $0.needed.role != .ledger }, partitions: partitions)
        for ledger in present where ledger.needed.role == .ledger {
            guard let count = try await sourcePartitions(of: ledger.needed, present, answers) else { continue }
            answers += try await make([ledger], partitions: count)
        }
        try await waitUntilSeen(answers)
        return answers
    }

    /// Waits until the brokers list the new topics, because a worker that starts before that would not find them.
    private func waitUntilSeen(_ answers: [Answer]) async throws(OperationError) {
        let made = answers.filter { if case .made = $0.result { true } else { false } }.map(\.needed)
        for _ in 0..<Self.looks where !made.isEmpty {
            let present = try await TopicSurvey.present(made, at: cluster, withSettings: false)
            if present.allSatisfy({ $0.topic?.isLed == true }) { return }
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { return }
        }
    }

    /// The number of partitions of the ledger's source; `nil` if the source does not exist.
    private func sourcePartitions(
        of ledger: NeededTopic,
        _ present: [PresentTopic],
        _ answers: [Answer]
    ) async throws(OperationError) -> Int? {
        guard
            let source = answers.first(where: {
                $0.needed.role == .source && $0.needed.name == ledger.source ?? $0.needed.name
            })
        else { return partitions }
        switch source.result {
        case .made(let partitions): return partitions
        case .failed: return nil
        case .exists:
            if let topic = present.first(where: { $0.needed == source.needed })?.topic { return count(topic) }
            return try await countOnceSeen(source.needed)
        }
    }

    /// The number of partitions of a topic that somebody else has just made, once the brokers list it.
    private func countOnceSeen(_ source: NeededTopic) async throws(OperationError) -> Int? {
        for _ in 0..<Self.looks {
            let now = try await TopicSurvey.present([source], at: cluster, withSettings: false)
            if let topic = now.first?.topic, let count = count(topic) { return count }
            do { try await Task.sleep(for: Self.pauseBetweenLooks) } catch { return nil }
        }
        return nil
    }

    private func count(_ topic: KafkaTopic) -> Int? {
        topic.error == nil && !topic.partitions.isEmpty ? topic.partitions.count : nil
    }

    private func make(_ topics: [PresentTopic], partitions: Int) async throws(OperationError) -> [Answer] {
        let missing = topics.filter { $0.topic == nil }.map(\.needed)
        let wanted = missing.map { $0.new(partitions: partitions, replicationFactor: replicationFactor) }
        let refused: [String: KafkaError]
        do throws(KafkaError) {
            refused = try await KafkaAdmin(cluster).createTopics(wanted)
        } catch {
            throw OperationError(.unavailable, cluster, error)
        }
        return topics.map { topic in
            guard topic.topic == nil else { return Answer(needed: topic.needed, result: .exists) }
            guard let error = refused[topic.needed.name] else {
                return Answer(
                    needed: topic.needed,
                    result: .made(partitions: topic.needed.fixedPartitions ?? partitions)
                )
            }
            // If somebody else has made the topic since the query, that is fine, too.
            let isThere = error.code == .topicExists
            return Answer(needed: topic.needed, result: isThere ? .exists : .failed(error))
        }
    }
}

extension KafkaTopic {
    /// Whether each of its partitions has a leader.
    fileprivate var isLed: Bool {
        error == nil && !partitions.isEmpty && partitions.allSatisfy { $0.leader != nil }
    }
}

extension TopicMaker.Answer {
    /// Why the topic was not made.
    package var error: KafkaError? {
        guard case .failed(let error) = result else { return nil }
        return error
    }

    private var word: String {
        switch result {
        case .made: "made"
        case .exists: "exists"
        case .failed: "failed"
        }
    }

    /// The answer on one line.
    package var line: String {
        guard case .made(let partitions) = result else { return "\(needed.name): \(word) (\(needed.role.title))" }
        let settings = "\(counted(partitions, "partition")), \(needed.settingsText)"
        return "\(needed.name): \(word) (\(needed.role.title), \(settings))"
    }

    /// The answer as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("topic", needed.name)
            writer.member("role", needed.role.rawValue)
            writer.member("result", word)
        }
    }
}

extension TopicMaker {
    /// The error for topics that could not be made.
    ///
    /// - Returns: The error; `nil` if all topics exist.
    package static func failure(of answers: [Answer], needed: [NeededTopic]) -> OperationError? {
        let errors = answers.compactMap(\.error)
        var lines = errors.map { "\($0)\($0.remedyForMaking)" }
        for topic in needed where !answers.contains(where: { $0.needed == topic }) {
            lines.append("\(topic.name) was not made: it needs as many partitions as its source, which has none")
        }
        guard !lines.isEmpty else { return nil }
        lines.append("Topics that were made stay: fix this and run the command again")
        let kinds = Set(errors.map(\.kindOfMaking))
        let kind: OperationError.Kind =
            kinds.contains(.badConfiguration)
            ? .badConfiguration : kinds.contains(.unavailable) ? .unavailable : .foundProblems
        return OperationError(kind, lines.joined(separator: "\n"))
    }
}

extension KafkaError {
    /// The kind of failure: `unavailable` if the request may succeed later.
    fileprivate var kindOfMaking: OperationError.Kind {
        if meansForbidden { return .badConfiguration }
        // The broker reports in its own words that there are too few brokers.
        if code.rawValue == "INVALID_REPLICATION_FACTOR" { return .foundProblems }
        return isRetriable ? .unavailable : .foundProblems
    }

    fileprivate var remedyForMaking: String {
        if meansForbidden {
            return
                ": give our user the right Create on the cluster or on the topic, or let others make the topics that "
                + "'newsflash topics create --dry-run' prints"
        }
        if code.rawValue == "INVALID_REPLICATION_FACTOR" {
            return ": there are fewer brokers than that; leave out --replication, or write a smaller number"
        }
        return ""
    }
}
