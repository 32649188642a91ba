import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Encodes the core's writes as records, by the rules of the worker's writers.
struct SimulatedWriter {
    private struct Batch {
        var partition: PartitionID
        var number: Int
        var offsets: [Int64]
        var left: Int
        var hasFailed = false
    }

    private struct Outcome {
        var write: OutcomeWrite
        var number: Int
        var confirmed: Set<Part> = []
        var left = 0
        var hasFailed = false
    }

    private enum Part: UInt64, CaseIterable {
        case outcome, deadLetter
    }

    /// The subject of a record.
    private enum Subject {
        case ledger(WriteID, record: Int)
        case outcome(WriteID, Part)
    }

    private let process: Int
    private let sabotage: Sabotage?
    private var batches: [WriteID: Batch] = [:]
    private var outcomes: [WriteID: Outcome] = [:]
    private var subjects: [UInt64: Subject] = [:]
    private var lastID: UInt64 = 0
    private var ready: [SimWrite] = []

    init(process: Int, sabotage: Sabotage?) {
        self.process = process
        self.sabotage = sabotage
    }

    private func sabotaged(_ write: LedgerWrite) -> LedgerWrite {
        guard sabotage == .forgetInFlight, case .facts(var facts, let story) = write else { return write }
        facts.audiences.removeAll { $0.certainty == .possible }
        return .facts(facts, of: story)
    }

    private mutating func write(_ content: SimWrite.Content, _ partition: Int, _ subject: Subject) {
        lastID += 1
        subjects[lastID] = subject
        ready.append(SimWrite(id: lastID, partition: partition, content: content))
    }

    mutating func add(_ batch: LedgerBatch, partition: Int) {
        let count = batch.writes.count
        batches[batch.id] = Batch(
            partition: batch.partition,
            number: partition,
            offsets: Array(repeating: -1, count: count),
            left: count
        )
        for (index, record) in batch.writes.map(sabotaged).enumerated() {
            let line = SimLedgerLine(key: record.key, value: record.value, writer: process) {
                SimulatedWorker.facts(of: record)
            }
            write(.ledger(line), partition, .ledger(batch.id, record: index))
        }
    }

    mutating func add(_ write: OutcomeWrite, partition: Int) {
        var entry = outcomes[write.id] ?? Outcome(write: write, number: partition)
        entry.hasFailed = false
        let record = SimOutcome(write.outcome)
        if !entry.confirmed.contains(.outcome) {
            self.write(.outcome(record), partition, .outcome(write.id, .outcome))
            entry.left += 1
        }
        if write.deadLetter != nil, !entry.confirmed.contains(.deadLetter) {
            self.write(.deadLetter(record), partition, .outcome(write.id, .deadLetter))
            entry.left += 1
        }
        outcomes[write.id] = entry
    }

    /// Removes and returns the writes that are due.
    mutating func dequeueWrites() -> [SimWrite] {
        defer { ready = [] }
        return ready
    }

    mutating func delivered(_ deliveries: [SimDelivery]) -> (ledger: [LedgerResult], outcomes: [WriteResult]) {
        var results: (ledger: [LedgerResult], outcomes: [WriteResult]) = ([], [])
        for delivery in deliveries {
            switch subjects.removeValue(forKey: delivery.id) {
            case .ledger(let id, let index):
                guard var batch = batches[id] else { continue }
                if let offset = delivery.offset { batch.offsets[index] = offset } else { batch.hasFailed = true }
                batch.left -= 1
                batches[id] = batch.left > 0 ? batch : nil
                guard batch.left == 0 else { continue }
                let result: Result<[Int64], WriteFailure> =
                    batch.hasFailed ? .failure(WriteFailure("failed")) : .success(batch.offsets)
                results.ledger.append(LedgerResult(id: id, partition: batch.partition, result: result))
            case .outcome(let id, let part):
                guard var entry = outcomes[id] else { continue }
                if delivery.offset != nil { entry.confirmed.insert(part) } else { entry.hasFailed = true }
                entry.left -= 1
                outcomes[id] = entry.left > 0 || entry.hasFailed ? entry : nil
                guard entry.left == 0 else { continue }
                results.outcomes.append(WriteResult(id: id, failure: entry.hasFailed ? "failed" : nil))
            case nil: continue
            }
        }
        return results
    }

    /// Discards the writes of revoked partitions.
    mutating func forget(_ partitions: [Int]) {
        batches = batches.filter { !partitions.contains($0.value.number) }
        outcomes = outcomes.filter { !partitions.contains($0.value.number) }
        ready.removeAll { partitions.contains($0.partition) }
    }
}

extension SimOutcome {
    fileprivate init(_ record: OutcomeRecord) {
        self.init(
            event: record.event,
            kind: record.kind,
            partition: Int(record.origin.partition.partition),
            offset: record.origin.offset,
            isFinal: record.isFinal,
            verdict: record.verdict.outcome.rawValue,
            reason: record.verdict.reason,
            detail: record.verdict.detail,
            requests: record.targets.map { target in
                let request = target.request
                let tags = request.tags.split { " ()|".contains($0) }
                return Request(
                    units: tags.map { "\(request.hub)/\($0)" },
                    isAccepted: target.report.status == .accepted,
                    lacksHub: target.report.error?.hasSuffix("is not in the configuration any more") ?? false
                )
            },
            isRepeated: record.warnings.contains("ledger.recognized"),
            goesOn: record.warnings.contains("ledger.merged")
        )
    }
}
