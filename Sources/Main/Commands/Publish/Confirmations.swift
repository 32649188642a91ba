import Kafka
import Locks

/// Receives delivery reports and passes them to the waiting command.
final class Confirmations: KafkaProducerDelegate {
    /// The reports, in no particular order.
    let reports: AsyncStream<[KafkaDeliveryReport]>
    private let continuation: AsyncStream<[KafkaDeliveryReport]>.Continuation
    private let lastFault = Locked<String?>(nil)

    init() {
        (reports, continuation) = AsyncStream.makeStream()
    }

    func kafkaProducer(_ producer: KafkaProducer, didDeliver reports: [KafkaDeliveryReport]) {
        continuation.yield(reports)
    }

    func kafkaProducer(_ producer: KafkaProducer, didFail error: KafkaError) {
        let isNew = lastFault.withLock { last in
            defer { last = error.description }
            return last != error.description
        }
        // The same error is reported repeatedly while brokers are unavailable.
        if isNew { StandardError.write("Kafka: \(error); still trying") }
    }
}

/// Sorts delivery reports into the order of the records, and collects failures.
struct ConfirmationOrder {
    private var waiting: [KafkaDeliveryReport?]
    private var next = 0
    private(set) var failures: [KafkaError] = []
    /// The positions of the confirmed records, in the order of their confirmations.
    private(set) var places: [KafkaDeliveryReport.Place] = []

    /// - Parameter count: The number of records.
    init(count: Int) {
        waiting = Array(repeating: nil, count: count)
    }

    /// Whether each record has a report.
    var isComplete: Bool { next == waiting.count }

    /// Receives reports.
    ///
    /// - Parameter reports: Reports in any order.
    /// - Returns: The reports that are next in the order of the records.
    mutating func receive(_ reports: [KafkaDeliveryReport]) -> [(index: Int, report: KafkaDeliveryReport)] {
        for report in reports {
            guard let index = Int(exactly: report.id), waiting.indices.contains(index) else { continue }
            waiting[index] = report
            switch report.result {
            case .success(let place): places.append(place)
            case .failure(let error): failures.append(error)
            }
        }
        var ready: [(index: Int, report: KafkaDeliveryReport)] = []
        while next < waiting.count, let report = waiting[next] {
            ready.append((next, report))
            next += 1
        }
        return ready
    }
}
