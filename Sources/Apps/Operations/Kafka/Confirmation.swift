package import NewsflashKafka
import NewsflashStrictJSON

/// The delivery result of one published record.
package struct Confirmation: Sendable {
    package var topic: String
    package var entry: PublishPlan.Entry
    package var report: KafkaDeliveryReport

    package init(topic: String, entry: PublishPlan.Entry, report: KafkaDeliveryReport) {
        self.topic = topic
        self.entry = entry
        self.report = report
    }

    /// Whether the brokers confirmed the record.
    package var isConfirmed: Bool {
        if case .success = report.result { true } else { false }
    }

    /// The record on one line.
    package var line: String {
        let name = entry.eventID ?? entry.place
        switch report.result {
        case .success(let place):
            return "\(topic) partition \(place.partition) offset \(place.offset): \(name)"
        case .failure(let error):
            let doubt =
                report.mayBePersisted
                ? "; it may still be in the topic (a worker skips an event that it has already seen)" : ""
            return "\(entry.place): \(entry.eventID.map { "\($0): " } ?? "")not confirmed: \(error)\(doubt)"
        }
    }

    /// The record as a JSON object.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("place", entry.place)
            writer.member("topic", topic)
            writer.member("event", entry.eventID)
            writer.member("key", entry.key.map { String(decoding: $0, as: UTF8.self) })
            writer.member("confirmed", isConfirmed)
            switch report.result {
            case .success(let place):
                writer.member("partition", Int64(place.partition))
                writer.member("offset", place.offset)
            case .failure(let error):
                writer.member("error", error.description)
                writer.member("mayBePersisted", report.mayBePersisted)
            }
        }
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
