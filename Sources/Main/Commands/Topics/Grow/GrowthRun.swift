import Kafka
import NewsEvents
import Publishing
import Worker

/// Adds partitions to a source and its ledger, and moves the ledger's stories to the partitions of their future events.
///
/// Each step can be repeated: waiting events are written to the source before their story leaves its old partition, and a
/// story is written to its new partition before it is deleted in the old one.
struct GrowthRun: Sendable {
    let cluster: KafkaConfiguration
    let group: String
    let source: SourceSettings

    // MARK: The plan

    /// Makes a plan and changes nothing.
    ///
    /// - Parameters:
    ///   - count: The new number of partitions; `nil` for that of the source.
    ///   - ignoresUnread: Whether unread events are allowed.
    /// - Returns: The plan.
    /// - Throws: ``CommandError`` if growing is not possible now.
    func plan(count: Int?, ignoresUnread: Bool) async throws(CommandError) -> GrowthPlan {
        let (sourceCount, ledgerCount) = try await counts()
        let count = count ?? sourceCount
        guard count >= max(sourceCount, ledgerCount) else {
            throw CommandError(
                .foundProblems,
                "partitions cannot be removed: \(source.topic) has \(sourceCount), \(source.ledger) \(ledgerCount)"
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
                "\(counted(Int(unread), "event")) of \(source.topic) not read yet, and their stories may move to other "
                    + "partitions: let the workers read all, stop them, and run this again. If no worker can start, "
                    + "use --ignore-unread; then some of these events may be sent twice"
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
                "\(counted(plan.strangers.count, "record")) of the ledger are not in the partition of their story's key, such "
                    + "as that of '\(plan.strangers[0])': events are not keyed by story, or their producer does not "
                    + "use Kafka's own partitioner, so the new partitions of stories are unknown. Nothing was changed"
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

    /// Whether the group has no members. Counts them, and then also commits the present offsets again, which brokers refuse
    /// while the group has members. A group without committed offsets can only be checked by counting.
    private func isAlone(_ admin: KafkaAdmin, _ count: Int) async throws(KafkaError) -> Bool {
        let committed = try await admin.committedOffsets(
            ofGroup: group,
            partitions: partitions(count, of: source.topic)
        )
        do throws(KafkaError) {
            if try await admin.memberCount(ofGroup: group) > 0 { return false }
        } catch {
            // Test clusters do not support this request.
            if committed.isEmpty, error.meansForbidden || error.meansUnreachable { throw error }
        }
        do throws(KafkaError) {
            // The same offsets, so nothing changes.
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
            "workers of the group \(group) are running: stop all of them first. Nothing was changed"
        )
    }

    /// The number of records after the committed offsets of the group.
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
