package import NewsflashTimestamps

extension StoryFacts {
    /// An event that had ended when this was written, and whose outcome or dead letter was not confirmed.
    package struct Closing: Sendable, Equatable {
        /// The maximum length of the verdict's detail, in bytes.
        package static let maximumDetailLength = 200

        package let offset: Int64
        package let event: String
        /// The verdict, with a detail of at most ``maximumDetailLength`` bytes.
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

    /// The cause of a wait.
    package enum WaitReason: String, Sendable, CaseIterable {
        case embargo
        case retry
        /// The circuits of its hubs are open, or its hubs are slower than others.
        case hub
        /// An earlier event of its story waits.
        case turn
        case approval
        case quietHours = "quiet_hours"
        case pause
        case volumeLimit = "volume_limit"
        case embargoDropped = "embargo_dropped"

        /// Whether a person's order ends the wait.
        var waitsForResume: Bool {
            switch self {
            case .pause, .volumeLimit, .embargoDropped: true
            case .embargo, .retry, .hub, .turn, .approval, .quietHours: false
            }
        }

        /// The provisional outcome of an event that begins to wait; `nil` if none is written.
        var provisional: EventVerdict? {
            switch self {
            case .embargo: EventVerdict(.held, "held.embargo")
            case .retry, .hub, .turn: nil
            case .approval: EventVerdict(.held, "held.unconfirmed")
            case .quietHours: EventVerdict(.deferred, "deferred.quiet_hours")
            case .pause: EventVerdict(.held, "held.source")
            case .volumeLimit: EventVerdict(.held, "held.volume_limit")
            case .embargoDropped: EventVerdict(.held, "held.embargo_dropped")
            }
        }
    }

    /// A waiting event. Its offset is processed, because the ledger has its bytes.
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
        /// When it must be processed again; `nil` if no time is known.
        package var until: Timestamp?
        package var reason: WaitReason
        /// The event's source, whose resume may end the wait.
        package var source: String
        /// The time of the order that pauses the event. It identifies that order and is not compared with a clock. `nil` if no
        /// order pauses the event.
        package var pausedAt: Timestamp?
        /// Whether it may have been sent before it began to wait, by an owner that crashed.
        package var isSuspected: Bool
        /// Whether it goes in the express lane.
        package var isExpress: Bool
        /// Whether it is a withdrawal that had ended, and goes on to audiences that only a late writer's record contains.
        package var hasEnded: Bool
        /// The hubs for which it waits, by their names in the ledger.
        package var hubs: [String]
        /// The number of attempts of its requests.
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
            pausedAt: Timestamp? = nil,
            isSuspected: Bool = false,
            isExpress: Bool = false,
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
            self.pausedAt = pausedAt
            self.isSuspected = isSuspected
            self.isExpress = isExpress
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
        /// The maximum number of notifications kept for a story.
        package static let maximumCount = 32

        /// When a hub accepted its first request.
        package var at: Timestamp
        package var source: String
        /// A digest of its headlines alone, to find the same text elsewhere; see ``ContentDigest``.
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
