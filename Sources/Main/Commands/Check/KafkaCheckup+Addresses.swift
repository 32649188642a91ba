import Kafka
import Locks
import Publishing
import Worker

// Checks that each label still refers to the hub that the ledger's stories were sent to.
extension KafkaCheckup {
    /// Compares the addresses of the hubs with those in the owner records of the ledgers, as a worker does when it takes
    /// over a partition. Each ledger is read from the beginning to its current end.
    ///
    /// - Parameters:
    ///   - present: The topics.
    ///   - found: The facts so far; none is returned again.
    /// - Returns: For each ledger, one fact that it matches, or its conflicts.
    func addressFacts(_ present: [PresentTopic], after found: [CheckFact]) async -> [CheckFact] {
        guard !hubs.addresses.isEmpty else { return [] }
        var facts: [CheckFact] = []
        for topic in present where topic.needed.role == .ledger && topic.topic != nil && topic.topic?.error == nil {
            facts += await addressFacts(ofLedger: topic.needed.name, after: found)
        }
        return facts.filter { !found.contains($0) }
    }

    private func addressFacts(ofLedger name: String, after found: [CheckFact]) async -> [CheckFact] {
        let recorded: RecordedHubs
        do throws(CommandError) {
            recorded = try await RecordedHubs.read(name, in: quiet())
        } catch {
            guard !found.contains(where: { $0.subject == name && $0.status != .ok }) else { return [] }
            let message = "cannot compare the hubs' addresses with it: \(error)"
            return [.problem(.unreachable, .ledger, name, .noAnswer, message)]
        }
        var conflicts: [(conflict: HubAddresses.Conflict, partitions: [Int32])] = []
        for (partition, addresses) in recorded.hubs.sorted(by: { $0.key < $1.key }) {
            for conflict in hubs.conflicts(with: addresses) {
                if let place = conflicts.firstIndex(where: { $0.conflict == conflict }) {
                    conflicts[place].partitions.append(partition)
                } else {
                    conflicts.append((conflict, [partition]))
                }
            }
        }
        let foreign = Set(recorded.owners.values.filter { ![settings.group, ""].contains($0.group) }.map(\.group))
        let groups = foreign.sorted().map { group in
            let message = LedgerOwner(hasLeft: true, isSettled: true, hubs: [:], group: group)
                .foreignGroupMessage(settings.group)
            return CheckFact.problem(.configuration, .ledger, name, .ledgerGroup, message)
        }
        let facts = groups + recorded.damaged + conflicts.map { fact(of: $0.conflict, in: $0.partitions, ledger: name) }
        guard facts.isEmpty else { return facts }
        let labels = hubs.addresses.keys.sorted().joined(separator: ", ")
        return [.ok(.ledger, name, "its hub addresses match the configuration (\(labels))")]
    }

    private func fact(of conflict: HubAddresses.Conflict, in partitions: [Int32], ledger: String) -> CheckFact {
        let label = conflict.label
        let numbers = partitions.map(String.init).joined(separator: ", ")
        let place = partitions.count == 1 ? "partition \(numbers)" : "partitions \(numbers)"
        let message =
            "hubs.\(label): the stories of \(place) were sent to \(conflict.recorded), but in this configuration '\(label)' is "
            + "\(conflict.configured), so a worker refuses to start: give the new hub a label of its own and keep "
            + "'\(label)' with \(conflict.recorded), or restore the endpoint and name of '\(label)', or, if all its devices "
            + "have moved to the new hub, confirm it with hubs.\(label).replaces: \(conflict.recorded)"
        return .problem(.configuration, .ledger, ledger, .hubAddressChanged, message)
    }
}

/// The addresses of hubs in the owner records of a ledger.
private struct RecordedHubs: Sendable {
    /// The addresses of hubs by their labels, for each partition with an owner record.
    private(set) var hubs: [Int32: [String: String]] = [:]
    /// The latest owner of each partition.
    private(set) var owners: [Int32: LedgerOwner] = [:]
    /// Owner records that cannot be read.
    private(set) var damaged: [CheckFact] = []

    /// Reads the owner records of a ledger.
    ///
    /// - Throws: ``CommandError`` if the ledger cannot be read.
    static func read(_ ledger: String, in cluster: KafkaConfiguration) async throws(CommandError) -> RecordedHubs {
        let recorded = Locked(RecordedHubs())
        _ = try await TopicScan(cluster, topics: [ledger], from: .earliest, to: .present).run { messages in
            for message in messages where message.key.map({ LedgerOwner.isKey($0.span) }) ?? false {
                recorded.withLock { $0.apply(message) }
            }
            return true
        }
        return recorded.withLock { $0 }
    }

    /// Applies an owner record; a later one of the same partition takes precedence.
    private mutating func apply(_ message: KafkaMessage) {
        guard let value = message.value else {
            hubs[message.partition] = nil
            owners[message.partition] = nil
            return
        }
        do throws(LedgerRecordError) {
            let owner = try LedgerOwner(decoding: value.span)
            owners[message.partition] = owner
            hubs[message.partition, default: [:]].merge(owner.hubs) { $1 }
        } catch {
            damaged.append(.damaged(message, error))
        }
    }
}
