import Kafka
import StrictJSON

/// The delivery result of one published record.
struct Confirmation: Sendable {
    var topic: String
    var entry: PublishPlan.Entry
    var report: KafkaDeliveryReport

    /// Whether the brokers confirmed the record.
    var isConfirmed: Bool {
        if case .success = report.result { true } else { false }
    }

    /// The record on one line.
    var line: String {
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
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("place", entry.place)
        writer.member("topic", topic)
        writer.member("event", entry.eventID)
        writer.member("key", entry.key.map { String(decoding: $0, as: UTF8.self) })
        writer.name("confirmed")
        writer.value(isConfirmed)
        switch report.result {
        case .success(let place):
            writer.member("partition", Int64(place.partition))
            writer.member("offset", place.offset)
        case .failure(let error):
            writer.member("error", error.description)
            writer.name("mayBePersisted")
            writer.value(report.mayBePersisted)
        }
        writer.endObject()
        return writer.bytes
    }
}
