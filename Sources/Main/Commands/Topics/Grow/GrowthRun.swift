import Kafka
import NewsEvents
import Publishing
import Worker

/// Gives a source and its ledger more partitions, and carries the ledger's stories to where their events will lie.
///
/// Each step can be done again: events that wait are written to the source before their story leaves the partition in which
/// they wait, and a story is written to its new partition before it ends in the old one.
struct GrowthRun: Sendable {
    let cluster: KafkaConfiguration
    let group: String
    let source: SourceSettings

    // MARK: The plan

    /// Looks at everything and changes nothing.
    ///
    /// - Parameters:
    ///   - count: How many partitions there are to be; `nil` for as many as the source has.
    ///   - ignoresUnread: Whether events that no worker has read yet are let pass.
    /// - Returns: What has to be done.
    /// - Throws: ``CommandError`` where it must not be done now.
    func plan(count: Int?, ignoresUnread: Bool) async throws(CommandError) -> GrowthPlan {
        let (sourceCount, ledgerCount) = try await counts()
        let count = count ?? sourceCount
        guard count >= max(sourceCount, ledgerCount) else {
            throw CommandError(
                .foundProblems,
                "partitions cannot be taken away: \(source.topic) has \(sourceCount), \(source.ledger) \(ledgerCount)"
            )
        }
        let messages: [KafkaMessage]
        let unread: Int64
        do throws(KafkaError) {
            let admin = try KafkaAdmin(cluster)
            guard try await isAlone(admin, sourceCount) else { throw Self.notAlone(group) }
            let old = ledgerCount < count && !ignoresUnread ? min(sourceCount, ledgerCount) : 0
            unread = try await self.unread(admin, partitions(old, of: source.topic))
            let beginnings = partitions(ledgerCount, of: source.ledger).map { ($0, KafkaOffset.beginning) }
            messages = try await WholePartitions.read(Dictionary(beginnings) { $1 }, in: cluster)
        } catch {
            throw error.code == .rebalanceInProgress
                ? CommandError(.foundProblems, error.message) : CommandError(.unavailable, cluster, error)
        }
        guard unread == 0 else {
            throw CommandError(
                .foundProblems,
                "\(counted(Int(unread), "event")) of \(source.topic) were not read yet, whose stories may move away from them: "
                    + "let the workers read all, stop them, and run this again. Where no worker starts any more, "
                    + "--ignore-unread goes on; of those events some may be told twice"
            )
        }
        let plan = GrowthPlan(
            source: source.topic,
            ledger: source.ledger,
            sourceCount: sourceCount,
            ledgerCount: ledgerCount,
            count: count,
            stories: try LedgerContent.stories(in: messages)
        )
        guard plan.strangers.isEmpty else {
            throw CommandError(
                .foundProblems,
                "\(counted(plan.strangers.count, "record")) of the ledger do not lie where the key of their story leads, such as "
                    + "that of '\(plan.strangers[0])': events are not keyed by story, or by another partitioner than Kafka's "
                    + "own, so nobody can tell where stories go. Nothing was changed"
            )
        }
        return plan
    }

    private func counts() async throws(CommandError) -> (source: Int, ledger: Int) {
        let events = NeededTopic(role: .source, name: source.topic)
        let memory = NeededTopic(role: .ledger, name: source.ledger, source: source.topic)
        let present = try await TopicSurvey.present([events, memory], at: cluster, withSettings: false)
        for topic in present where topic.topic == nil {
            throw CommandError(
                .foundProblems,
                "\(topic.needed.name) is missing: make it with 'newsflash topics create'"
            )
        }
        return (present[0].topic?.partitions.count ?? 0, present[1].topic?.partitions.count ?? 0)
    }

    private func partitions(_ count: Int, of topic: String) -> [KafkaTopicPartition] {
        (0..<count).map { KafkaTopicPartition(topic: topic, partition: Int32(clamping: $0)) }
    }

    /// Whether no worker is there: with members in the group a broker takes no offsets from outside. A group that has
    /// committed nothing has no offset to try that with, so the members are counted first.
    private func isAlone(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) -> Bool {
        let committed = try await admin.committedOffsets(
            ofGroup: group,
            partitions: partitions(count, of: source.topic)
        )
        do throws(KafkaError) {
            if try await admin.memberCount(ofGroup: group) > 0 { return false }
        } catch {
            // Clusters for tests do not know the question.
            if committed.isEmpty, error.meansForbidden || error.meansUnreachable { throw error }
        }
        do throws(KafkaError) {
            // The same that stand there.
            try await admin.alterOffsets(ofGroup: group, to: committed)
            return true
        } catch {
            guard ["UNKNOWN_MEMBER_ID", "NON_EMPTY_GROUP", "REBALANCE_IN_PROGRESS"].contains(error.code.rawValue) else {
                throw error
            }
            return false
        }
    }

    private static func notAlone(_ group: String) -> KafkaError {
        KafkaError(
            .rebalanceInProgress,
            "workers of the group \(group) run: stop all of them first. Nothing was changed"
        )
    }

    /// How many records lie behind what the group has done.
    private func unread(
        _ admin: KafkaAdmin,
        _ partitions: [KafkaTopicPartition]
    ) async throws(KafkaError) -> Int64 {
        let committed = try await admin.committedOffsets(ofGroup: group, partitions: partitions)
        var unread: Int64 = 0
        for partition in partitions {
            let ends = try await admin.watermarks(of: partition)
            unread += max(0, ends.high - max(ends.low, committed[partition] ?? ends.low))
        }
        return unread
    }
}
