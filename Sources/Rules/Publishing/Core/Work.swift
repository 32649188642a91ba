import NewsEvents
import NotificationHubs
import Timestamps

/// One admitted event on its way.
struct Work: Sendable {
    let record: RecordID
    let origin: RecordOrigin
    let byteCount: Int
    let event: NewsEvent
    let warnings: [String]
    let consumedAt: Timestamp
    var lane: Lane
    /// Empty until the event is planned.
    var targets: [TargetProgress] = []
    var isPlanned = false
    var planWarnings: [String] = []
    /// Set when a newer revision, a hold or a kill came: nothing more is sent, what is in flight is waited for.
    var cancelled: EventVerdict?
    var firstSendAt: Timestamp?
    var firstAcceptAt: Timestamp?
    var lastAcceptAt: Timestamp?

    var hasRequestInFlight: Bool { targets.contains { $0.phase == .inFlight } }
    var hasAcceptedTarget: Bool { targets.contains { $0.record.status == .accepted } }
    var isSettled: Bool { isPlanned && targets.allSatisfy { $0.phase == .settled } }
}

/// One request of an event on its way.
struct TargetProgress: Sendable {
    enum Phase: Sendable {
        /// In a lane.
        case ready
        case inFlight
        /// A timer brings it back to its lane.
        case waiting
        /// Accepted, rejected or given up.
        case settled
    }

    let send: PlannedSend
    var record: OutcomeRecord.Target
    var phase: Phase = .ready
    /// Failed attempts that count for the back-off.
    var failures = 0

    init(_ send: PlannedSend) {
        self.send = send
        record = OutcomeRecord.Target(hub: send.hub, platform: send.platform, tags: send.expression.description)
        record.locale = send.locale
        record.textFrom = send.textFrom
        record.template = send.template
        record.bytes = send.message.body.count
        record.isTruncated = send.isTruncated
    }
}

/// Something that waits in a lane.
struct Job: Sendable {
    var record: RecordID
    /// Which target; `nil` for an event that is not yet planned.
    var target: Int?
}

/// Which request of which event an answer belongs to.
struct Flight: Sendable {
    var record: RecordID
    var target: Int
    var permission: Governor.Permission
}

/// Who is being worked on of one story, and who comes next.
///
/// One `next` is enough: whoever comes later takes its place.
struct StoryLine: Sendable {
    var current: RecordID
    var next: RecordID?
}

/// An ended event whose records are not yet confirmed.
struct Closing: Sendable {
    var order: WriteOrder
    var origin: RecordOrigin
    var byteCount: Int
    var failures = 0
}

/// What a timer brings back.
enum DueItem: Sendable {
    case embargo(RecordID)
    case retry(RecordID, target: Int)
    case rewrite(WriteID)
}
