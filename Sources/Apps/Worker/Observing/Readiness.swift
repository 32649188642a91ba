import Publishing
import StrictJSON
import Timestamps

/// Whether a worker lives, and whether it does its work; with the reasons where not.
struct Readiness: Sendable, Equatable {
    /// What keeps it from its work, for the person on call; empty when ready.
    var reasons: [String]
    /// Whether its publishing thread still turns.
    var isAlive: Bool

    /// What readiness is judged by.
    struct Facts {
        var status: PublishingStatus?
        /// When the publishing thread turned last.
        var turnedAt: ContinuousClock.Instant?
        var kafkaFault: String?
        /// Why partitions' ledgers cannot be read.
        var ledgerFaults: [String] = []
        /// What the start waits for.
        var startFault: String?
        /// What the watch says of work that waits though nothing keeps it.
        var stall: String?
        var isStopping = false
        var now: ContinuousClock.Instant
    }

    /// How long a record may wait for its confirmation before someone should look.
    private static let slowBroker = Duration.seconds(10)

    init(_ facts: Facts) {
        isAlive = facts.turnedAt.map { facts.now - $0 < .seconds(30) } ?? true
        reasons = []
        if facts.isStopping { reasons.append("stopping: finishing what is in flight") }
        if !isAlive { reasons.append("stuck: the publishing thread has not turned for 30 s; restart the worker") }
        if let fault = facts.startFault { reasons.append("starting: \(fault)") }
        if let stall = facts.stall { reasons.append("stalled: \(stall)") }
        if let fault = facts.kafkaFault { reasons.append("kafka: \(fault)") }
        let partitions = facts.status?.partitions ?? []
        if partitions.isEmpty, !facts.isStopping {
            reasons.append(
                "no_partitions: none is assigned; the group may be balancing, or has more members than partitions"
            )
        }
        let restoring = partitions.filter { $0.phase == .restoring }.map(\.source.description)
        if !restoring.isEmpty {
            reasons.append("restoring: reading the ledger of \(restoring.joined(separator: ", "))")
        }
        if let since = facts.status?.unconfirmedFor, since > Self.slowBroker {
            reasons.append(
                "records_unconfirmed: Kafka has not confirmed a record for \(since.components.seconds) s; only a few express "
                    + "events are sent until it does. Check the ledger and the outcomes: disk, min.insync.replicas, permissions"
            )
        }
        if let until = facts.status?.pausedUntil {
            reasons.append(
                "paused: the hub asked for a pause until \(until.rfc3339); nothing is lost, only express knocks meanwhile. "
                    + "If it comes again and again, check the hub's tier and who else sends to it"
            )
        }
        reasons += facts.ledgerFaults.map { "ledger: \($0)" }
        if let hold = facts.status?.hold {
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
