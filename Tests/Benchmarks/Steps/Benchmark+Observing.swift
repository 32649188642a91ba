import NewsflashBasics
import NewsflashKafka
import NewsflashTimestamps

@testable import NewsflashObservability
@testable import NewsflashPublishing
@testable import NewsflashWorker

extension Benchmark {
    /// The log lines, metrics and records of an event's end.
    static var observing: [Benchmark] {
        [
            each("metrics", of: { try $0.outcomes() }) { _ in
                let metrics = WorkerMetrics()
                return { metrics.ended($0) }
            },
            each("log.text", of: { try $0.entries() }) { _ in { blackHole(TextLogHandler.line($0)) } },
            each("log.json", of: { try $0.entries() }) { _ in { blackHole(JSONLogHandler.line($0)) } },
            each("observe", of: { try $0.outcomes() }) { workload in
                let observer = workload.observer(TextLines())
                return { observer.tell(.ended($0)) }
            },
            records,
        ]
    }

    /// The steps from the facts and the outcome of an event to its records, and from the broker's confirmations to
    /// their meaning.
    private static var records: Benchmark {
        Benchmark(name: "records") { workload in
            let orders = try workload.orders()
            let count = orders.outcomes.count
            guard orders.facts.count == count else { throw BenchmarkError("\(orders.facts.count) facts of \(count)") }
            var ledgers = LedgerWriter(sources: workload.configuration.sources, group: "bench", instance: "life") {
                blackHole($0)
            }
            var outcomes = OutcomeWriter(
                topics: workload.configuration.topics,
                group: "newsflash",
                worker: "newsflash"
            )
            let success = KafkaDeliveryReport(
                id: 0,
                result: .success(.init(partition: 3, offset: 1)),
                mayBePersisted: true
            )
            func write(_ range: Range<Int>, _ number: Int) throws {
                let batch = LedgerBatch(
                    id: WriteID(UInt64(number)),
                    partition: PartitionID(0),
                    writes: Array(orders.facts[range])
                )
                ledgers.write(batch, of: Workload.source)
                var offsets: [Int64] = []
                for index in batch.writes.indices {
                    guard let ended = ledgers.reported(batch.id, record: index, success) else { continue }
                    offsets = try ended.result.get()
                }
                guard offsets.count == range.count else { throw BenchmarkError("\(offsets.count) facts are confirmed") }
                for write in orders.outcomes[range] { outcomes.add(write) }
                outcomes.layOut(atMost: range.count)
                outcomes.emptyBatch()
                let ended = orders.outcomes[range].count { outcomes.reported($0.id, isLetter: false, success) != nil }
                guard ended == range.count else { throw BenchmarkError("\(ended) outcomes are confirmed") }
            }
            let batchLength = 20
            func writeAll(_ iterations: Int) throws {
                for start in stride(from: 0, to: iterations, by: batchLength) {
                    let first = start % (count - batchLength + 1)
                    try write(first..<first + min(batchLength, iterations - start), start + 1)
                }
            }
            try writeAll(count)
            return writeAll
        }
    }
}

extension Workload {
    fileprivate func observer(_ handler: any LogHandler) -> PublishingObserver {
        let now = now.wall
        let logger = Logger(label: "newsflash.worker", handler: handler, now: { now })
        return PublishingObserver(logger: logger, metrics: WorkerMetrics(), follower: nil)
    }

    /// The log entries for the ends of all events.
    fileprivate func entries() throws -> [LogEntry] {
        let kept = KeptEntries()
        let observer = observer(kept)
        for outcome in try outcomes() { observer.tell(.ended(outcome)) }
        return kept.entries.withLock { $0 }
    }
}

/// Formats lines and discards them.
private struct TextLines: LogHandler {
    func log(_ entry: LogEntry) { blackHole(TextLogHandler.line(entry)) }
}

private final class KeptEntries: LogHandler {
    let entries = Locked<[LogEntry]>([])

    func log(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
}
