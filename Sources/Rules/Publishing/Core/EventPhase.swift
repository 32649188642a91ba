package import Timestamps

/// Where an event is on its way from its record to its confirmed outcome.
///
/// The article "Life of an event" has the table of these states; a test holds it to this enum.
package enum EventPhase: Sendable, Equatable {
    /// Nothing is to be done before something else happens.
    case waiting(EventWait)
    /// In a lane, and nothing of it has been sent.
    case queued
    /// Planned: each of its requests is in a lane, under way, waits for another attempt, or is settled.
    case sending
    /// Its verdict is known, and requests under way are waited for.
    case ended(EventVerdict)
    /// Its records are on their way to the broker.
    case writing(EventVerdict)

    /// The name in the article's table, in health and in metrics.
    package var name: String { Self.names[index] }

    /// The place in ``names``.
    var index: Int {
        switch self {
        case .waiting: 0
        case .queued: 1
        case .sending: 2
        case .ended: 3
        case .writing: 4
        }
    }

    /// Whether something else has to happen in this worker before the event goes on, which never takes long.
    var isWaitingForOthers: Bool { self == .waiting(.story) || self == .waiting(.turn) }

    /// All names, in the order of an event's life.
    package static let names = ["waiting", "queued", "sending", "ended", "writing"]
}

/// What a waiting event waits for.
package enum EventWait: Sendable, Equatable {
    /// What is known of its story is being read from the ledger.
    case story
    /// Another event of its story is under way.
    case turn
    /// Events of its story ended unsent before it, and the ledger is still to confirm that: after a crash they would be read
    /// again and sent, behind this one.
    case ledger
    /// Fewer people have let it go than its kind needs; it is refused at that time.
    case approval(until: Timestamp)
    /// Not to be sent before.
    case embargo(Timestamp)
    /// Its readers sleep until then.
    case quietHours(until: Timestamp)
    /// A person has to let it go, since its source is on hold; its life ends then.
    case release(until: Timestamp)
    /// A person has to look first: a brake was tripped; its life ends then.
    case brake(until: Timestamp)

    /// When it is over by itself; `nil` where something else has to happen.
    package var end: Timestamp? {
        switch self {
        case .story, .turn, .ledger: nil
        case .approval(let end), .embargo(let end), .quietHours(let end), .release(let end), .brake(let end): end
        }
    }

    /// Why the ledger keeps an event that waits so; `nil` where it need not, since that never takes long.
    var reason: StoryRecord.WaitReason? {
        switch self {
        case .story, .turn, .ledger: nil
        case .approval: .approval
        case .embargo: .embargo
        case .quietHours: .quietHours
        case .release: .release
        case .brake: .brake
        }
    }
}
