import Kafka
import Publishing
import StrictJSON
import Timestamps

/// Whether a worker lives, and whether it does its work; with the reasons where not.
struct Readiness: Sendable, Equatable {
    /// What keeps it from its work, for the person on call; empty when ready. Each begins with the word of its cause.
    var reasons: [String]
    /// The same for machines.
    var causes: Set<Cause>
    /// What is worth knowing and keeps it from nothing.
    var notes: [String]
    /// Whether its publishing thread still turns.
    var isAlive: Bool

    /// What readiness is judged by.
    struct Facts {
        var status: PublishingStatus?
        /// When the publishing thread turned last.
        var turnedAt: Instant?
        /// What Kafka complains about.
        var kafkaFaults: [String] = []
        /// Why a record was not written, the last time that one was not.
        var writeFailure: KafkaFaults.WriteFailure?
        /// How the worker stands with its group.
        var group: KafkaGroupState?
        /// For how long.
        var groupFor = Duration.zero
        /// Why partitions' ledgers cannot be read.
        var ledgerFaults: [String] = []
        /// Why orders of the control topic are not known.
        var controlFault: String?
        /// Whether it is not sure that our partitions are ours.
        var isUnsure = false
        /// What the start waits for.
        var startFault: String?
        /// What the watch says of work that waits though nothing keeps it.
        var stall: String?
        var isStopping = false
        var now: Instant
    }

    /// How long a record may wait for its confirmation before someone should look.
    private static let slowBroker = Duration.seconds(10)
    /// How long a member is without partitions in a group at rest until it counts as spare. Assigned partitions show sooner.
    private static let settling = Duration.seconds(3)

    init(_ facts: Facts) {
        isAlive = facts.turnedAt.map { facts.now - $0 < .seconds(30) } ?? true
        reasons = []
        causes = []
        notes = []
        if facts.isStopping { add(.stopping, "finishing what is in flight") }
        if !isAlive { add(.stuck, "the publishing thread has not turned for 30 s; restart the worker") }
        if let fault = facts.startFault { add(.starting, fault) }
        if let stall = facts.stall { add(.stalled, stall) }
        for fault in facts.kafkaFaults { add(.kafka, fault) }
        if let fault = facts.controlFault { add(.control, fault) }
        if facts.isUnsure, !facts.isStopping {
            add(
                .lease,
                "it is not sure that the partitions are still this worker's, because it stood still or its group has not confirmed "
                    + "its membership; nothing is sent or written until the group has. If that lasts, see that the broker answers "
                    + "which coordinates the group"
            )
        }
        let partitions = facts.status?.partitions ?? []
        if partitions.isEmpty, !facts.isStopping {
            if Self.isSpare(facts) {
                notes.append(
                    "no_partitions: none is assigned, since the group has more members than partitions; this one stands by"
                )
            } else {
                add(.noPartitions, "none is assigned yet; the group may be balancing" + Self.joining(facts))
            }
        }
        let restoring = partitions.filter { $0.phase == .restoring }.map(\.source.description)
        if !restoring.isEmpty {
            add(.restoring, "reading the ledger of \(restoring.joined(separator: ", "))")
        }
        if let text = Self.unconfirmed(facts) { add(.unconfirmed, text) }
        if let until = facts.status?.pausedUntil {
            add(
                .paused,
                "the hub asked for a pause until \(until.rfc3339); nothing is lost, only express knocks meanwhile. "
                    + "If it comes again and again, check the hub's tier and who else sends to it"
            )
        }
        for fault in facts.ledgerFaults { add(.ledger, fault) }
        if let hold = facts.status?.hold {
            let said = hold.detail.isEmpty ? "" : " (\(hold.detail))"
            add(.held(hold.reason), "since \(hold.since.rfc3339)\(said); \(hold.reason.remedy)")
        }
    }

    private mutating func add(_ cause: Cause, _ text: String) {
        reasons.append("\(cause.word): \(text)")
        causes.insert(cause)
    }

    /// Whether the worker is a healthy member of a group that has nothing for it to do. A rollout must not wait for such a
    /// worker, and the others' partitions come to it when they go.
    private static func isSpare(_ facts: Facts) -> Bool {
        facts.group?.phase == .steady && facts.groupFor >= settling
    }

    /// What is known of the way to an assignment that has not come yet.
    private static func joining(_ facts: Facts) -> String {
        guard let group = facts.group, group.phase == .joining else { return "" }
        let pause = facts.groupFor.components.seconds
        return
            ". It has been joining for \(pause) s (\(group.step)); if that lasts, see that the broker answers which coordinates "
            + "the group"
    }

    /// What is known of records that Kafka does not confirm; nil while that is nothing to look at.
    private static func unconfirmed(_ facts: Facts) -> String? {
        guard let pause = facts.status?.unconfirmedFor else { return nil }
        // A failure from before the oldest of them was written is over.
        let failure = facts.writeFailure.flatMap { facts.now - $0.at <= pause ? $0 : nil }
        guard pause > slowBroker || failure?.isForbidden == true else { return nil }
        let why = failure.map { " (\($0.text))" } ?? ""
        return
            "Kafka has not confirmed a record for \(pause.components.seconds) s\(why); nothing is lost, and "
            + "it is written again. While it is the ledger's, only a few express events are sent. Check the ledger, the outcomes "
            + "and the dead letters: disk, min.insync.replicas, permissions"
    }

    var isReady: Bool { reasons.isEmpty }

    /// `{"ready":false,"reasons":["…"]}`, with `notes` where there are any.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("ready")
        writer.value(isReady)
        writer.name("reasons")
        writer.beginArray()
        for reason in reasons { writer.value(reason) }
        writer.endArray()
        if !notes.isEmpty { writer.member("notes", notes) }
        writer.endObject()
        return writer.bytes
    }
}
