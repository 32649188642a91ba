import NewsflashKafka
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Whether a worker is alive and whether it is ready, with the reasons if not.
struct Readiness: Sendable, Equatable {
    /// The reasons why it is not ready, for the person on call; empty if it is. Each starts with the word of its cause.
    var reasons: [String]
    /// The causes of ``reasons``, for programs.
    var causes: Set<Cause>
    /// Conditions worth knowing that do not affect readiness.
    var notes: [String]
    /// Whether the publishing thread still runs.
    var isAlive: Bool

    /// The facts that decide readiness.
    struct Facts {
        var status: PublishingStatus?
        /// The time of the publishing thread's latest turn.
        var turnedAt: Instant?
        /// The current Kafka faults.
        var kafkaFaults: [String] = []
        /// The latest failure to write a record.
        var writeFailure: KafkaHealth.WriteFailure?
        /// The state of the group membership.
        var group: KafkaGroupState?
        /// How long that state has lasted.
        var groupFor = Duration.zero
        /// The reasons why ledgers of partitions cannot be read.
        var ledgerFaults: [String] = []
        /// The reason why commands of the control topic are not known.
        var controlFault: String?
        /// Whether partition ownership is not confirmed.
        var isUnsure = false
        /// The condition that delays the start.
        var startFault: String?
        /// The watchdog's message about work that waits without a known cause.
        var stall: String?
        var isStopping = false
        var now: Instant
    }

    /// How long a record may be unconfirmed before someone should look.
    private static let slowBroker = Duration.seconds(10)
    /// How long a member of a stable group must be without partitions to count as spare. Assigned partitions show earlier.
    private static let settling = Duration.seconds(3)

    init(_ facts: Facts) {
        isAlive = facts.turnedAt.map { facts.now - $0 < .seconds(30) } ?? true
        reasons = []
        causes = []
        notes = []
        if facts.isStopping { add(.stopping, "finishing requests in flight") }
        if !isAlive { add(.stuck, "the publishing thread has not run for 30 s; restart the worker") }
        if let fault = facts.startFault { add(.starting, fault) }
        if let stall = facts.stall { add(.stalled, stall) }
        for fault in facts.kafkaFaults { add(.kafka, fault) }
        if let fault = facts.controlFault { add(.control, fault) }
        if facts.isUnsure, !facts.isStopping {
            add(
                .lease,
                "partition ownership is not confirmed, because the process was suspended or the group has not confirmed the "
                    + "worker's membership; nothing is sent or written until the group does. If this lasts, check that the broker "
                    + "that coordinates the group responds"
            )
        }
        let partitions = facts.status?.partitions ?? []
        if partitions.isEmpty, !facts.isStopping {
            if Self.isSpare(facts) {
                notes.append(
                    "no_partitions: no partition is assigned, because the group has more members than partitions; this worker is on standby"
                )
            } else {
                add(.noPartitions, "no partition is assigned yet; the group may be rebalancing" + Self.joining(facts))
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
                "the hub asked for a pause until \(until.rfc3339); nothing is lost, and only express events are tried meanwhile. "
                    + "If this recurs, check the hub's tier and who else sends to it"
            )
        }
        for fault in facts.ledgerFaults { add(.ledger, fault) }
        for hub in facts.status?.hubs ?? [] {
            guard let circuit = hub.circuit else { continue }
            let said = circuit.detail.isEmpty ? "" : " (\(circuit.detail))"
            add(
                .held(circuit.reason),
                "hub \(hub.name), since \(circuit.since.rfc3339)\(said); \(circuit.reason.remedy)"
            )
        }
    }

    private mutating func add(_ cause: Cause, _ text: String) {
        reasons.append("\(cause.word): \(text)")
        causes.insert(cause)
    }

    /// Whether the worker is a healthy member of a group that has no partition for it. A rollout must not wait for such a
    /// worker, and it gets partitions when other workers stop.
    private static func isSpare(_ facts: Facts) -> Bool {
        facts.group?.phase == .steady && facts.groupFor >= settling
    }

    /// The progress of joining the group, if the assignment has not come yet.
    private static func joining(_ facts: Facts) -> String {
        guard let group = facts.group, group.phase == .joining else { return "" }
        let pause = facts.groupFor.components.seconds
        return
            ". It has been joining for \(pause) s (\(group.step)); if this lasts, check that the broker that coordinates "
            + "the group responds"
    }

    /// The message about records that Kafka does not confirm; `nil` if they are not a problem.
    private static func unconfirmed(_ facts: Facts) -> String? {
        guard let pause = facts.status?.unconfirmedFor else { return nil }
        // A failure from before the oldest of these records was written is over.
        let failure = facts.writeFailure.flatMap { facts.now - $0.at <= pause ? $0 : nil }
        guard pause > slowBroker || failure?.isForbidden == true else { return nil }
        let why = failure.map { " (\($0.text))" } ?? ""
        return
            "Kafka has not confirmed a record for \(pause.components.seconds) s\(why); nothing is lost, and "
            + "writing is retried. If it is a ledger record, only a few express events are sent. Check the ledger, the outcomes "
            + "and the dead letters: disk, min.insync.replicas, permissions"
    }

    var isReady: Bool { reasons.isEmpty }

    /// `{"ready":false,"reasons":["…"]}`, with `notes` if there are any.
    var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("ready", isReady)
            writer.member("reasons", reasons)
            if !notes.isEmpty { writer.member("notes", notes) }
        }
    }
}

extension Readiness {
    /// A reason why a worker is not ready.
    enum Cause: Hashable, Sendable {
        case stopping
        case stuck
        case starting
        case stalled
        case kafka
        case control
        case lease
        case noPartitions
        case restoring
        case unconfirmed
        case paused
        case ledger
        case held(CircuitReason)

        /// The word for health and metrics.
        var word: String {
            switch self {
            case .stopping: "stopping"
            case .stuck: "stuck"
            case .starting: "starting"
            case .stalled: "stalled"
            case .kafka: "kafka"
            case .control: "control"
            case .lease: "lease"
            case .noPartitions: "no_partitions"
            case .restoring: "restoring"
            case .unconfirmed: "records_unconfirmed"
            case .paused: "paused"
            case .ledger: "ledger"
            case .held(let reason): "held.\(reason.rawValue)"
            }
        }

        /// All causes.
        static let all: [Cause] =
            [
                .stopping, .stuck, .starting, .stalled, .kafka, .control, .lease, .noPartitions, .restoring,
                .unconfirmed, .paused, .ledger,
            ] + CircuitReason.allCases.map(Cause.held)
    }
}
