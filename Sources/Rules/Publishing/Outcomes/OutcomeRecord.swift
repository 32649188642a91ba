package import NewsEvents
package import Timestamps

/// The record of one event's way, as `schemas/breaking-news-outcome-v1.schema.json` describes it.
///
/// A value that lies in an object, which each change makes anew: the same record goes to the log, to the metrics and to the
/// topic, and a copy of all its strings for each would cost more than what they do with it.
package struct OutcomeRecord: Sendable, Equatable {
    private(set) var storage: Storage

    package var event: String {
        get { storage.fields.event }
        set { change { $0.event = newValue } }
    }
    package var source: String? {
        get { storage.fields.source }
        set { change { $0.source = newValue } }
    }
    /// The key of the record.
    package var story: String {
        get { storage.fields.story }
        set { change { $0.story = newValue } }
    }
    package var revision: Int64 {
        get { storage.fields.revision }
        set { change { $0.revision = newValue } }
    }
    package var kind: String {
        get { storage.fields.kind }
        set { change { $0.kind = newValue } }
    }
    package var verdict: EventVerdict {
        get { storage.fields.verdict }
        set { change { $0.verdict = newValue } }
    }
    package var isFinal: Bool {
        get { storage.fields.isFinal }
        set { change { $0.isFinal = newValue } }
    }
    /// Whether no words of it may travel.
    package var isSecure: Bool {
        get { storage.fields.isSecure }
        set { change { $0.isSecure = newValue } }
    }
    package var at: Timestamp {
        get { storage.fields.at }
        set { change { $0.at = newValue } }
    }
    package var origin: RecordOrigin {
        get { storage.fields.origin }
        set { change { $0.origin = newValue } }
    }
    /// Digest of the mapping and the texts in force.
    package var config: String {
        get { storage.fields.config }
        set { change { $0.config = newValue } }
    }
    /// The record's place in a trace, as it came.
    package var traceparent: String? {
        get { storage.fields.traceparent }
        set { change { $0.traceparent = newValue } }
    }
    package var timing: Timing {
        get { storage.fields.timing }
        set { change { $0.timing = newValue } }
    }
    package var targets: [Target] {
        get { storage.fields.targets }
        set { change { $0.targets = newValue } }
    }
    package var warnings: [String] {
        get { storage.fields.warnings }
        set { change { $0.warnings = newValue } }
    }

    /// The order by which the event came once more; `nil` for one that its sender sent.
    package var replay: ReplayMark? {
        get { storage.fields.replay }
        set { change { $0.replay = newValue } }
    }

    /// Milliseconds from `published`; absent steps did not happen.
    package struct Timing: Sendable, Equatable {
        package var broker: Double?
        package var consumed: Double?
        package var firstSend: Double?
        package var firstAccept: Double?
        package var lastAccept: Double?

        package init() {}
    }

    /// The record of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - verdict: What became of it.
    ///   - origin: Where its record stands.
    ///   - config: Digest of the mapping and the texts in force.
    ///   - at: When that was known.
    ///   - timing: What is known of its way; the broker's time is taken from the origin.
    ///   - targets: What became of its requests.
    ///   - warnings: What is strange about it.
    ///   - isSecure: Whether no words of it may travel, as its story says.
    ///   - traceparent: The record's place in a trace.
    package init(
        of event: borrowing NewsEvent,
        verdict: EventVerdict,
        origin: RecordOrigin,
        config: String,
        at: Timestamp,
        timing: Timing = Timing(),
        targets: [Target] = [],
        warnings: [String] = [],
        isSecure: Bool = false,
        traceparent: TraceParent? = nil
    ) {
        var timing = timing
        if let timestamp = origin.timestamp { timing.broker = timestamp.milliseconds(since: event.published) }
        storage = Storage(
            Fields(
                event: event.id,
                source: event.source,
                story: event.story,
                revision: event.revision,
                kind: event.kind.rawValue,
                verdict: verdict,
                isSecure: isSecure || event.delivery == .secure,
                at: at,
                origin: origin,
                config: config,
                traceparent: traceparent?.text,
                timing: timing,
                targets: targets,
                warnings: warnings,
                replay: event.replay
            )
        )
    }

    /// The record of something that could not be read; what could be is kept.
    package init(
        of rejection: EventRejection,
        origin: RecordOrigin,
        config: String,
        at: Timestamp,
        traceparent: TraceParent? = nil
    ) {
        storage = Storage(
            Fields(
                event: rejection.id ?? "",
                source: rejection.source,
                story: rejection.story ?? "",
                revision: max(0, rejection.revision ?? 0),
                kind: rejection.kind ?? "",
                verdict: EventVerdict(.invalid, rejection.reason.rawValue, rejection.detail),
                at: at,
                origin: origin,
                config: config,
                traceparent: traceparent?.text
            )
        )
    }

    package static func == (left: OutcomeRecord, right: OutcomeRecord) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = storage.fields
        change(&fields)
        storage = Storage(fields)
    }

    struct Fields: Sendable, Equatable {
        var event: String
        var source: String?
        var story: String
        var revision: Int64
        var kind: String
        var verdict: EventVerdict
        var isFinal: Bool = true
        var isSecure: Bool = false
        var at: Timestamp
        var origin: RecordOrigin
        var config: String
        var traceparent: String?
        var timing: Timing = Timing()
        var targets: [Target] = []
        var warnings: [String] = []
        var replay: ReplayMark?
    }

    final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}
