package import NewsEvents
package import Timestamps

/// The record of one event's way, as `schemas/breaking-news-outcome-v1.schema.json` describes it.
package struct OutcomeRecord: Sendable, Equatable {
    package var event: String
    package var source: String?
    /// The key of the record.
    package var story: String
    package var revision: Int64
    package var kind: String
    package var verdict: EventVerdict
    package var isFinal: Bool
    package var at: Timestamp
    package var origin: RecordOrigin
    /// Digest of the mapping and the texts in force.
    package var config: String
    package var timing: Timing
    package var targets: [Target]
    package var warnings: [String]

    /// Milliseconds from `published`; absent steps did not happen.
    package struct Timing: Sendable, Equatable {
        package var broker: Double?
        package var consumed: Double?
        package var firstSend: Double?
        package var firstAccept: Double?
        package var lastAccept: Double?

        package init() {}
    }

    /// What became of one request that the event needed.
    package struct Target: Sendable, Equatable {
        package enum Status: String, Sendable {
            case accepted
            case rejected
            /// Sent, and never answered for certain.
            case unknown
            /// Not sent, or surely not received.
            case skipped
        }

        package var hub: String
        package var platform: String
        /// The tag expression as sent.
        package var tags: String
        package var locale: String?
        package var textFrom: String?
        package var template: String?
        package var status: Status
        package var httpStatus: Int?
        package var notificationID: String?
        package var trackingID: String?
        package var attempts: Int
        package var bytes: Int?
        package var isTruncated: Bool
        package var acceptedAt: Timestamp?
        package var error: String?

        package init(hub: String, platform: String, tags: String) {
            self.hub = hub
            self.platform = platform
            self.tags = tags
            self.status = .skipped
            self.attempts = 0
            self.isTruncated = false
        }
    }

    package init(of event: NewsEvent, verdict: EventVerdict, origin: RecordOrigin, config: String, at: Timestamp) {
        self.event = event.id
        self.source = event.source
        self.story = event.story
        self.revision = event.revision
        self.kind = event.kind.rawValue
        self.verdict = verdict
        self.isFinal = true
        self.at = at
        self.origin = origin
        self.config = config
        self.timing = Timing()
        self.targets = []
        self.warnings = []
        if let timestamp = origin.timestamp { timing.broker = timestamp.milliseconds(since: event.published) }
    }

    /// The record of something that could not be read; what could be is kept.
    package init(of rejection: EventRejection, origin: RecordOrigin, config: String, at: Timestamp) {
        self.event = rejection.id ?? ""
        self.source = rejection.source
        self.story = rejection.story ?? ""
        self.revision = max(0, rejection.revision ?? 0)
        self.kind = rejection.kind ?? ""
        self.verdict = EventVerdict(.invalid, rejection.reason.rawValue, rejection.detail)
        self.isFinal = true
        self.at = at
        self.origin = origin
        self.config = config
        self.timing = Timing()
        self.targets = []
        self.warnings = []
    }
}
