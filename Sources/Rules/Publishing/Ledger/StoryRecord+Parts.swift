package import NotificationHubs
import Routing
package import Timestamps

extension StoryRecord {
    /// One request that was accepted, or may have been.
    package struct Sent: Sendable, Equatable {
        package let recipients: Recipients
        package var revision: Int64
        package var at: Timestamp

        package init(
            hub: String,
            format: String,
            expression: TagExpression,
            locale: String?,
            categories: [String] = [],
            isForUsers: Bool = false,
            revision: Int64,
            at: Timestamp
        ) {
            let audience = PlannedAudience(
                expression: expression,
                locale: locale,
                categories: categories,
                isForUsers: isForUsers
            )
            self.init(to: Recipients(hub: hub, format: format, audience: audience), revision: revision, at: at)
        }

        package init(to recipients: Recipients, revision: Int64, at: Timestamp) {
            self.recipients = recipients
            self.revision = revision
            self.at = at
        }

        package var hub: String { recipients.hub }
        package var format: String { recipients.format }
        package var expression: TagExpression { recipients.audience.expression }
        /// The language that the request was for; `nil` where it carries all.
        package var locale: String? { recipients.audience.locale }
        /// The newsroom's categories that the audience stands for.
        package var categories: [String] { recipients.audience.categories }
        /// Whether each tag is that of one reader whom an event named.
        package var isForUsers: Bool { recipients.audience.isForUsers }

        /// Whether both went to the same hub, format, audience and language.
        package func hasSameTarget(as other: Sent) -> Bool { recipients.areSame(as: other.recipients) }
    }

    /// An event that ended, whose records were not all confirmed when this was written.
    package struct Closing: Sendable, Equatable {
        /// The most bytes of the verdict's detail that are kept.
        package static let maximumDetailLength = 200

        package let offset: Int64
        package let event: String
        /// Its detail is at most ``maximumDetailLength`` bytes.
        package let verdict: EventVerdict

        package init(offset: Int64, event: String, verdict: EventVerdict) {
            self.offset = offset
            self.event = event
            var verdict = verdict
            verdict.detail = verdict.detail?.prefixOfUTF8(Self.maximumDetailLength)
            self.verdict = verdict
        }
    }

    /// Why an event waits.
    package enum WaitReason: String, Sendable, CaseIterable {
        case embargo
        case retry
        case approval
        case quietHours = "quiet_hours"
        case release
        case brake

        /// What an outcome says of an event that begins to wait; `nil` where it says nothing.
        var provisional: EventVerdict? {
            switch self {
            case .embargo: EventVerdict(.held, "held.embargo")
            case .retry: nil
            case .approval: EventVerdict(.held, "held.unconfirmed")
            case .quietHours: EventVerdict(.deferred, "deferred.quiet_hours")
            case .release: EventVerdict(.held, "held.source")
            case .brake: EventVerdict(.held, "held.brake")
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
            self.attempts = attempts
            self.key = key
            self.value = value
            self.headers = headers
        }
    }
}
