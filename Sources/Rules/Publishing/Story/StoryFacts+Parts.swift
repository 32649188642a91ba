package import Timestamps

extension StoryFacts {
    /// An event that ended, whose records were not all confirmed when this was written.
    package struct Closing: Sendable, Equatable {
        /// The most bytes of the verdict's detail that are kept.
        package static let maximumDetailLength = 200

        package let offset: Int64
        package let event: String
        /// Its detail is at most ``maximumDetailLength`` bytes.
        package let verdict: EventVerdict
        /// The stage at which the event ended, for the dead letter.
        package let stage: DeadLetter.Stage

        package init(offset: Int64, event: String, verdict: EventVerdict, stage: DeadLetter.Stage = .send) {
            self.offset = offset
            self.event = event
            self.stage = stage
            var verdict = verdict
            verdict.detail = verdict.detail?.prefixOfUTF8(Self.maximumDetailLength)
            self.verdict = verdict
        }
    }

    /// Why an event waits.
    package enum WaitReason: String, Sendable, CaseIterable {
        case embargo
        case retry
        /// The circuit of its hubs is open.
        case hub
        /// An event of its story that waits itself.
        case turn
        case approval
        case quietHours = "quiet_hours"
        case release
        case brake
        case embargoDropped = "embargo_dropped"

        /// Whether an order of a person ends the wait.
        var waitsForRelease: Bool {
            switch self {
            case .release, .brake, .embargoDropped: true
            case .embargo, .retry, .hub, .turn, .approval, .quietHours: false
            }
        }

        /// What an outcome says of an event that begins to wait; `nil` where it says nothing.
        var provisional: EventVerdict? {
            switch self {
            case .embargo: EventVerdict(.held, "held.embargo")
            case .retry, .hub, .turn: nil
            case .approval: EventVerdict(.held, "held.unconfirmed")
            case .quietHours: EventVerdict(.deferred, "deferred.quiet_hours")
            case .release: EventVerdict(.held, "held.source")
            case .brake: EventVerdict(.held, "held.brake")
            case .embargoDropped: EventVerdict(.held, "held.embargo_dropped")
            }
        }
    }

    /// An event that waits; its offset is done because it lies here.
    package struct Waiting: Sendable, Equatable {
        /// One header of the source record, byte for byte.
        package struct Header: Sendable, Equatable {
            package var name: String
            package var value: [UInt8]?

            package init(name: String, value: [UInt8]?) {
                self.name = name
                self.value = value
            }
        }

        package var offset: Int64
        /// The source record's time.
        package var timestamp: Timestamp?
        /// When the worker read the source record.
        package var consumedAt: Timestamp
        /// When it is to be worked on again; `nil` where no time is known.
        package var until: Timestamp?
        package var reason: WaitReason
        /// The event's source, whose release may end the wait.
        package var source: String
        /// When the order that holds the event was given, or, of an event whose embargo was dropped, the last release of its story; which tells that order from later ones; no clock is compared with it.
        /// `nil` if no order holds the event.
        package var heldAt: Timestamp?
        /// Whether it may have been sent before it began to wait, by an owner that crashed.
        package var isSuspected: Bool
        /// Whether it is a withdrawal that had ended, and goes on to audiences that only a late writer's record shows.
        package var hasEnded: Bool
        /// The hubs that it waits for, as the ledger names them.
        package var hubs: [String]
        /// How often a request was tried.
        package var attempts: Int
        package var key: [UInt8]?
        package var value: [UInt8]
        package var headers: [Header]

        package init(
            offset: Int64,
            timestamp: Timestamp?,
            consumedAt: Timestamp,
            until: Timestamp?,
            reason: WaitReason,
            source: String = "",
            heldAt: Timestamp? = nil,
            isSuspected: Bool = false,
            hasEnded: Bool = false,
            hubs: [String] = [],
            attempts: Int,
            key: [UInt8]?,
            value: [UInt8],
            headers: [Header] = []
        ) {
            self.offset = offset
            self.timestamp = timestamp
            self.consumedAt = consumedAt
            self.until = until
            self.reason = reason
            self.source = source
            self.heldAt = heldAt
            self.isSuspected = isSuspected
            self.hasEnded = hasEnded
            self.hubs = hubs
            self.attempts = attempts
            self.key = key
            self.value = value
            self.headers = headers
        }
    }

    /// One event of which subscribers were notified, for caps and volume limits.
    package struct Push: Sendable, Equatable {
        /// How many a story remembers at most.
        package static let maximumCount = 32

        /// When a hub accepted its first request.
        package var at: Timestamp
        package var source: String
        /// Of its words alone, to find the same ones elsewhere; see ``ContentDigest``.
        package var words: UInt64
        /// The newsroom's categories that it reached.
        package var categories: [String]
        /// Whether it made a sound.
        package var isLoud: Bool

        package init(at: Timestamp, source: String, words: UInt64, categories: [String], isLoud: Bool) {
            self.at = at
            self.source = source
            self.words = words
            self.categories = categories
            self.isLoud = isLoud
        }
    }
}
