import Kafka
import Locks
import Publishing
import Timestamps

@testable import StructuredLog
@testable import Worker

extension Benchmark {
    /// What people are told of an event's end.
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

    /// From an order to the records of its event, and from the broker's confirmations to what they mean.
    private static var records: Benchmark {
        Benchmark(name: "records") { workload in
            let orders = try workload.orders().writes
            var writer = RecordWriter(
                sources: workload.configuration.sources,
                topics: workload.configuration.topics,
                group: "newsflash",
                worker: "newsflash",
                instance: "life"
            )
            func write(_ orders: some Collection<WriteOrder>) throws {
                for order in orders { writer.add(order, of: Workload.source) }
                writer.produceLedgers(now: .now, isLast: true) { blackHole($0) }
                for part in [2, 0] as [UInt64] {
                    let reports = orders.map { order in
                        KafkaDeliveryReport(
                            id: order.id.number * 4 + part,
                            result: .success(.init(partition: 3, offset: 1)),
                            mayBePersisted: true
                        )
                    }
                    let written = writer.reported(reports)
                    writer.addReady()
                    writer.emptyBatch()
                    let list = part == 0 ? written.ended.count : written.remembered.count
                    guard list == orders.count else { throw BenchmarkError("\(list) of \(orders.count) are confirmed") }
                }
            }
            let batchLength = 20
            func writeAll(_ count: Int) throws {
                for start in stride(from: 0, to: count, by: batchLength) {
                    let first = start % (orders.count - batchLength + 1)
                    try write(orders[first..<first + min(batchLength, count - start)])
                }
            }
            try writeAll(orders.count)
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

    /// What is logged of the ends of all events.
    fileprivate func entries() throws -> [LogEntry] {
        let kept = KeptEntries()
        let observer = observer(kept)
        for outcome in try outcomes() { observer.tell(.ended(outcome)) }
        return kept.entries.withLock { $0 }
    }
}

/// Makes lines and forgets them.
private struct TextLines: LogHandler {
    func log(_ entry: LogEntry) { blackHole(TextLogHandler.line(entry)) }
}

private final class KeptEntries: LogHandler {
    let entries = Locked<[LogEntry]>([])

    func log(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
}
