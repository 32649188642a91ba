import NewsEvents
import Publishing
import Timestamps

/// Turns the core's orders to write into records, by the rules of the worker's writer: the ledger's record is confirmed
/// before the outcome and the dead letter go, and one batch a ledger partition is under way at a time.
struct SimulatedWriter {
    private struct Pending {
        var order: WriteOrder
        let partition: Int
        var confirmed: Set<Part> = []
        var underWay: Set<Part> = []
        var hasFailed = false
        var ledgerOffset: Int64?

        /// The parts that may go now.
        var ready: [Part] {
            if order.ledger != nil, !confirmed.contains(.ledger) { return underWay.contains(.ledger) ? [] : [.ledger] }
            guard order.outcome != nil else { return [] }
            let parts: [Part] = order.deadLetter == nil ? [.outcome] : [.outcome, .deadLetter]
            return parts.filter { !confirmed.contains($0) && !underWay.contains($0) }
        }
    }

    private enum Part: UInt64, CaseIterable {
        case ledger, outcome, deadLetter
    }

    private struct LedgerQueue {
        var waiting: [SimWrite] = []
        var underWay: Set<UInt64> = []
    }

    private let process: Int
    private var pending: [UInt64: Pending] = [:]
    private var ledgers: [Int: LedgerQueue] = [:]
    private var others: [SimWrite] = []

    init(process: Int) { self.process = process }

    mutating func add(_ order: WriteOrder, partition: Int) {
        var entry = pending[order.id.number] ?? Pending(order: order, partition: partition)
        entry.order = order
        entry.hasFailed = false
        enqueue(&entry)
        pending[order.id.number] = entry
    }

    private mutating func enqueue(_ entry: inout Pending) {
        for part in entry.ready {
            entry.underWay.insert(part)
            let id = entry.order.id.number * 4 + part.rawValue
            switch part {
            case .ledger:
                guard let ledger = entry.order.ledger else { continue }
                let value = ledger.record.map { LedgerRecordCodec.encode($0, of: ledger.story) }
                let line = SimLedgerLine(key: ledger.story, value: value, writer: process)
                let write = SimWrite(id: id, partition: entry.partition, content: .ledger(line))
                ledgers[entry.partition, default: LedgerQueue()].waiting.append(write)
            case .outcome, .deadLetter:
                guard let outcome = entry.order.outcome else { continue }
                let record = SimOutcome(outcome)
                let content = part == .outcome ? SimWrite.Content.outcome(record) : .deadLetter(record)
                others.append(SimWrite(id: id, partition: entry.partition, content: content))
            }
        }
    }

    /// Takes what goes now.
    mutating func takeWrites() -> [SimWrite] {
        var writes = others
        others = []
        for partition in ledgers.keys.sorted() {
            guard var queue = ledgers[partition], queue.underWay.isEmpty, !queue.waiting.isEmpty else { continue }
            writes += queue.waiting
            queue.underWay = Set(queue.waiting.map(\.id))
            queue.waiting = []
            ledgers[partition] = queue
        }
        return writes
    }

    mutating func delivered(_ deliveries: [SimDelivery]) -> (remembered: [WriteID], ended: [WriteResult]) {
        var remembered: [WriteID] = []
        var ended: [WriteResult] = []
        for delivery in deliveries {
            guard let part = Part(rawValue: delivery.id & 3), var entry = pending[delivery.id / 4] else { continue }
            let id = WriteID(delivery.id / 4)
            entry.underWay.remove(part)
            if part == .ledger { ledgers[entry.partition]?.underWay.remove(delivery.id) }
            if let offset = delivery.offset {
                entry.confirmed.insert(part)
                if part == .ledger {
                    entry.ledgerOffset = offset
                    remembered.append(id)
                }
            } else {
                entry.hasFailed = true
            }
            if entry.hasFailed {
                if entry.underWay.isEmpty { ended.append(WriteResult(id: id, failure: "failed")) }
            } else {
                enqueue(&entry)
                if entry.underWay.isEmpty {
                    ended.append(WriteResult(id: id, failure: nil, ledgerOffset: entry.ledgerOffset))
                    pending[id.number] = nil
                    continue
                }
            }
            pending[id.number] = entry
        }
        return (remembered, ended)
    }

    /// Forgets the orders of partitions that have left.
    ///
    /// - Returns: The records that are still written.
    mutating func forget(_ partitions: [Int], isWritten: Bool) -> [SimWrite] {
        pending = pending.filter { !partitions.contains($0.value.partition) }
        others.removeAll { partitions.contains($0.partition) }
        return partitions.sorted().flatMap { partition in
            let queue = ledgers.removeValue(forKey: partition)
            return isWritten ? queue?.waiting ?? [] : []
        }
    }
}

extension SimOutcome {
    fileprivate init(_ record: OutcomeRecord) {
        self.init(
            event: record.event,
            kind: record.kind,
            partition: Int(record.origin.partition.number),
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
                    isAccepted: target.report.status == .accepted
                )
            },
            isRepeated: record.warnings.contains("ledger.recognized")
        )
    }
}
