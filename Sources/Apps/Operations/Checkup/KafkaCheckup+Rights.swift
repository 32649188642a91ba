import NewsflashKafka
import NewsflashPublishing
import NewsflashTopicPartitions
import NewsflashWorker

// The rights of our user on the topics and the group.
extension KafkaCheckup {
    /// Tests each right that the user needs, and decodes the newest records of the ledgers.
    ///
    /// - Parameter present: The topics; missing and unusable ones are skipped.
    /// - Returns: One fact per topic, facts about ledger records, and one fact about the group.
    func rightFacts(_ present: [PresentTopic]) async -> [CheckFact] {
        let usable = present.filter { $0.topic != nil && $0.topic?.error == nil && !$0.needed.isLeaderless($0.topic) }
        do throws(KafkaError) {
            let admin = try KafkaAdmin(quiet())
            let seen = try await ReadProbe.read(from: beginnings(of: usable, admin), in: quiet())
            let written = try await tryToWrite(usable, admin)
            var facts: [CheckFact] = []
            for topic in usable { facts += self.facts(of: topic, seen: seen, written: written) }
            facts += await [groupFact(admin)]
            return facts
        } catch {
            return [.problem(.unreachable, .rights, "", .noAnswer, "cannot be tested: \(error)")]
        }
    }

    // MARK: Reading

    /// Returns whether the user reads a topic. The commands of people on call read all.
    private func isRead(_ role: NeededTopic.Role) -> Bool {
        switch role {
        case .source, .ledger, .control: true
        case .outcomes, .deadLetters: user == .operator
        }
    }

    /// Returns the position at which reading of each partition starts: the newest record of ledgers, the end of other
    /// topics.
    private func beginnings(
        of topics: [PresentTopic],
        _ admin: KafkaAdmin
    ) async -> [TopicPartition: KafkaOffset] {
        var beginnings: [TopicPartition: KafkaOffset] = [:]
        for topic in topics where isRead(topic.needed.role) {
            for partition in topic.topic?.partitions ?? [] {
                let place = TopicPartition(topic: topic.needed.name, partition: partition.number)
                beginnings[place] = .end
                guard topic.needed.role == .ledger else { continue }
                // If this query is forbidden, reading reports the missing right.
                guard let ends = try? await admin.watermarks(of: place, timeout: patience), ends.high > ends.low else {
                    continue
                }
                beginnings[place] = .at(ends.high - 1)
            }
        }
        return beginnings
    }

    // MARK: Writing

    /// Returns whether the user writes to a topic. A worker writes control commands only for volume limits.
    private func isWritten(_ role: NeededTopic.Role) -> Bool {
        switch (user, role) {
        case (.worker, .outcomes), (.worker, .deadLetters), (.worker, .ledger): true
        case (.worker, .control): hasVolumeLimit
        case (.worker, .source): false
        // Commands such as 'pause' and 'withdraw'.
        case (.operator, .control), (.operator, .source): true
        case (.operator, .outcomes), (.operator, .deadLetters), (.operator, .ledger): false
        }
    }

    /// Tests writing, and returns the brokers' answers by topic. Returns `nil` if the cluster returns no topic settings and
    /// does not refuse the query either.
    ///
    /// Such a cluster is not a full Kafka (for example the embedded cluster), and may accept any record.
    private func tryToWrite(
        _ topics: [PresentTopic],
        _ admin: KafkaAdmin
    ) async throws(KafkaError) -> [String: WriteProbe.Answer]? {
        let written = topics.filter { isWritten($0.needed.role) }
        guard let first = written.first else { return [:] }
        if !topics.contains(where: { !$0.settings.isEmpty }) {
            do throws(KafkaError) {
                _ = try await admin.configuration(ofTopic: first.needed.name, timeout: patience)
            } catch {
                guard error.meansForbidden else { return nil }
            }
        }
        let limits = written.map { ($0.needed.name, $0.settings["max.message.bytes"].flatMap { Int64($0) }) }
        return try await WriteProbe.ask(Dictionary(limits) { $1 }, in: quiet())
    }

    // MARK: Facts

    private func facts(
        of topic: PresentTopic,
        seen: [TopicPartition: ReadProbe.Finding],
        written: [String: WriteProbe.Answer]?
    ) -> [CheckFact] {
        let name = topic.needed.name
        let findings = seen.filter { $0.key.topic == name }.sorted { $0.key < $1.key }
        var facts: [CheckFact] = []
        var done: [String] = []
        if isRead(topic.needed.role) {
            if let failure = findings.lazy.compactMap({ $0.value.error }).first {
                facts.append(fact(of: failure, right: "Read", on: name))
            } else {
                done.append("read")
            }
        }
        if isWritten(topic.needed.role), let written {
            switch written[name] {
            case .allowed, nil: done.append("written")
            case .forbidden(let error): facts.append(fact(of: error, right: "Write", on: name))
            case .unclear(let error): facts.append(fact(of: error, right: "Write", on: name))
            case .written(let offset):
                let message = "the broker accepted an invalid test record at offset \(offset): skip this record"
                facts.append(.problem(.refused, .rights, name, .invalid, message))
            }
        }
        if !done.isEmpty { facts.insert(.ok(.rights, name, "may be \(done.joined(separator: " and "))"), at: 0) }
        if isWritten(topic.needed.role), written == nil {
            let message =
                "writing was not tested: this cluster returns no topic settings, so it may accept any record"
            facts.append(.advice(.rights, name, .notTried, message))
        }
        if topic.needed.role == .ledger { facts += ledgerFacts(name, findings) }
        return facts
    }

    private func fact(of error: KafkaError, right: String, on topic: String) -> CheckFact {
        if error.meansForbidden {
            let message = "forbidden for our user: give it the right \(right) on the topic \(topic)"
            return .problem(.refused, .rights, topic, .rightMissing, message)
        }
        let message =
            "cannot be tested: \(error). Check that the leaders of its partitions can be reached from here"
        return .problem(.unreachable, .rights, topic, .noAnswer, message)
    }

    /// Returns facts about the newest record of each partition: whether a worker can decode it.
    private func ledgerFacts(
        _ name: String,
        _ findings: [(key: TopicPartition, value: ReadProbe.Finding)]
    ) -> [CheckFact] {
        var records = 0
        var facts: [CheckFact] = []
        for (_, sight) in findings {
            guard case .message(let message) = sight else { continue }
            records += 1
            guard let value = message.value else { continue }
            do throws(LedgerRecordError) {
                if let key = message.key, LedgerOwner.isKey(key.span) {
                    _ = try LedgerOwner(decoding: value.span)
                } else {
                    _ = try LedgerRecordCodec.decode(value.span)
                }
            } catch {
                facts.append(.damaged(message, error))
            }
        }
        guard facts.isEmpty, !findings.contains(where: { $0.value.error != nil }) else { return facts }
        let said = records == 0 ? "empty" : "the newest record of each partition can be decoded"
        return [.ok(.ledger, name, said)]
    }

    // MARK: The group

    /// Tests the right on the group. A worker's is tested with the commit of an offset for a nonexistent partition: a broker
    /// checks the right first, and then refuses the commit.
    private func groupFact(_ admin: KafkaAdmin) async -> CheckFact {
        let group = settings.group
        let topic = settings.source.topic
        let right = user == .worker ? "Read" : "Describe"
        let first = TopicPartition(topic: topic, partition: 0)
        if user == .operator,
            (try? await admin.committedOffsets(ofGroup: group, partitions: [first], timeout: patience)) != nil
        {
            return .ok(.rights, group, "our user may see the group")
        }
        do throws(KafkaError) {
            // Without Describe the query above only has no answer; this request shows the missing right.
            let nowhere = TopicPartition(topic: topic, partition: Int32.max)
            try await admin.alterOffsets(ofGroup: group, to: [nowhere: 0], timeout: patience)
        } catch {
            switch error.code {
            case .unknownTopicOrPartition, .unknownTopic, .topicForbidden: break
            case .groupForbidden:
                let message = "forbidden for our user: give it the right \(right) on the group \(group)"
                return .problem(.refused, .rights, group, .rightMissing, message)
            default:
                let message = "its coordinator does not respond: \(error). Check that the brokers run, and try again"
                return .problem(.unreachable, .rights, group, .noAnswer, message)
            }
        }
        return .ok(.rights, group, "our user may join the group")
    }
}

extension CheckFact {
    /// Returns a fact about a ledger record that cannot be read.
    static func damaged(_ message: KafkaMessage, _ error: LedgerRecordError) -> CheckFact {
        let text =
            "the record at offset \(message.offset) of partition \(message.partition) is damaged (\(error)): restart workers with "
            + "ledger.damaged: ignore and write a tombstone for its key (runbook NewsflashPartitionStuck)"
        return .problem(.refused, .ledger, message.topic, .ledgerDamaged, text)
    }
}

extension ReadProbe.Finding {
    fileprivate var error: KafkaError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension NeededTopic {
    /// Whether a partition has no leader; the fact about the topic reports that already.
    func isLeaderless(_ topic: KafkaTopic?) -> Bool {
        topic?.partitions.contains { $0.leader == nil } ?? true
    }
}
