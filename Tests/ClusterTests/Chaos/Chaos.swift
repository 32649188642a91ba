import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

/// The scenarios of the chaos rig, with their names in `.ci/chaos`.
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

    /// The full duration, in minutes of load.
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

    /// Whether it checks the speed or the size of a worker, which a sanitizer would change.
    private var measures: Bool {
        switch self {
        case .memory, .throttle, .backlog, .outage: true
        default: false
        }
    }

    /// The reason why a scenario is skipped.
    static let howTo: Comment =
        "set NEWSFLASH_CHAOS=1, or to names of scenarios, and KAFKA_HOME; or use .ci/chaos. With a sanitizer none that measures runs"

    /// Whether it was requested: `NEWSFLASH_CHAOS` is 1 or names it, and there is a real Kafka.
    var isAskedFor: Bool {
        guard KafkaTestCluster.isReal, !measures || Sanitizer.ofTests == nil, let asked = variable("NEWSFLASH_CHAOS")
        else { return false }
        let words = asked.split(whereSeparator: { $0 == " " || $0 == "," })
        return words.contains("1") || words.contains { $0 == rawValue }
    }

    /// The requested share of its full duration, from `NEWSFLASH_CHAOS_MINUTES`.
    var share: Double {
        guard let text = variable("NEWSFLASH_CHAOS_MINUTES"), let asked = Double(text), asked > 0 else { return 1 }
        return min(1, asked / minutes)
    }

    /// The requested duration.
    var length: Duration { .seconds(minutes * 60 * share) }

    /// The folder for the workers' logs: `NEWSFLASH_CHAOS_LOGS`. It must exist.
    static let logs = variable("NEWSFLASH_CHAOS_LOGS")

    /// The seed of the plan and the course: `NEWSFLASH_CHAOS_SEED`, or a random one.
    static let seed = variable("NEWSFLASH_CHAOS_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)
}
