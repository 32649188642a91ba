import Publishing
import StrictJSON
import Timestamps

/// Whether a worker lives, and whether it does its work; with the reasons where not.
struct Readiness: Sendable, Equatable {
    /// What keeps it from its work, for the person on call; empty when ready.
    var reasons: [String]
    /// Whether its publishing thread still turns.
    var isAlive: Bool

    init(status: PublishingStatus?, turnedAt: Timestamp?, kafkaFault: String?, isStopping: Bool, now: Timestamp) {
        isAlive = turnedAt.map { now - $0 < .seconds(30) } ?? true
        reasons = []
        if isStopping { reasons.append("stopping: finishing what is in flight") }
        if !isAlive { reasons.append("stuck: the publishing thread has not turned for 30 s; restart the worker") }
        if let kafkaFault { reasons.append("kafka: \(kafkaFault)") }
        if status?.partitions.isEmpty ?? true, !isStopping {
            reasons.append(
                "no_partitions: none is assigned; the group may be balancing, or has more members than partitions"
            )
        }
        if let hold = status?.hold {
            let said = hold.detail.isEmpty ? "" : " (\(hold.detail))"
            reasons.append("held.\(hold.reason.rawValue): since \(hold.since.rfc3339)\(said); \(hold.reason.remedy)")
        }
    }

    var isReady: Bool { reasons.isEmpty }

    /// `{"ready":false,"reasons":["…"]}`
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("ready")
        writer.value(isReady)
        writer.name("reasons")
        writer.beginArray()
        for reason in reasons { writer.value(reason) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
