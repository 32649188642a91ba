import KafkaTestCluster
import TestSupport
import Testing

/// The scenarios of the chaos rig, as `.ci/chaos` names them.
enum Chaos: String, CaseIterable, Sendable {
    case short
    case crashStatic = "crash-static"
    case crashGone = "crash-gone"
    case coordinator
    case mixed
    case scale
    case volume
    case million
    case deploy
    case stopped
    case memory
    case throttle
    case backlog
    case stubborn
    case late
    case outage
    case network
    case retention

    /// How long it lasts in full, in minutes of load.
    var minutes: Double {
        switch self {
        case .short: 2
        case .crashStatic: 2
        case .crashGone: 1
        case .coordinator: 1
        case .mixed: 10
        case .scale: 2
        case .volume: 3
        case .million: 12
        case .deploy: 1
        case .stopped: 2
        case .memory: 5
        case .throttle: 3.5
        case .backlog: 2
        case .stubborn: 2
        case .late: 5
        case .outage: 10
        case .network: 1
        case .retention: 0.3
        }
    }

    /// Whether it holds a worker to its speed or its size, of which a sanitizer leaves nothing to be said.
    private var measures: Bool {
        switch self {
        case .memory, .throttle, .backlog, .outage: true
        default: false
        }
    }

    /// Why a scenario is left out.
    static let howTo: Comment =
        "set NEWSFLASH_CHAOS=1, or to names of scenarios, and KAFKA_HOME; or use .ci/chaos. With a sanitizer none that measures runs"

    /// Whether it was asked for: `NEWSFLASH_CHAOS` is 1 or names it, and there is a real Kafka.
    var isAskedFor: Bool {
        guard KafkaTestCluster.isReal, !measures || Sanitizer.ofTests == nil, let asked = variable("NEWSFLASH_CHAOS")
        else { return false }
        let words = asked.split(whereSeparator: { $0 == " " || $0 == "," })
        return words.contains("1") || words.contains { $0 == rawValue }
    }

    /// How much of its full length is asked for: from `NEWSFLASH_CHAOS_MINUTES`.
    var share: Double {
        guard let text = variable("NEWSFLASH_CHAOS_MINUTES"), let asked = Double(text), asked > 0 else { return 1 }
        return min(1, asked / minutes)
    }

    /// How long it lasts.
    var length: Duration { .seconds(minutes * 60 * share) }

    /// Where the workers' logs are kept: `NEWSFLASH_CHAOS_LOGS`, a folder that exists.
    static let logs = variable("NEWSFLASH_CHAOS_LOGS")

    /// The seed of plan and course: `NEWSFLASH_CHAOS_SEED`, or a new one.
    static let seed = variable("NEWSFLASH_CHAOS_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)
}
