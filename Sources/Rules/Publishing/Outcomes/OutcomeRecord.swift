package import NewsflashEvents
package import NewsflashTimestamps
package import NewsflashTopicPartitions

/// The outcome record of one event, as in `schemas/breaking-news-outcome-v1.schema.json`.
///
/// A value with copy-on-write storage. The same record goes to the log, to the metrics and to the topic, and copying all its
/// strings for each would cost more than these do.
@dynamicMemberLookup
package struct OutcomeRecord: Sendable, Equatable {
    private(set) var storage: Storage

    package subscript<Value>(dynamicMember member: WritableKeyPath<Fields, Value>) -> Value {
        get { storage.fields[keyPath: member] }
        set {
            var fields = storage.fields
            fields[keyPath: member] = newValue
            storage = Storage(fields)
        }
    }

    /// Milliseconds from `published`; `nil` for steps that did not happen.
    package struct Timing: Sendable, Equatable {
        package var broker: Double?
        package var consumed: Double?
        package var firstSend: Double?
        package var firstAccept: Double?
        package var lastAccept: Double?

        package init() {}
    }

    /// Creates the record of an event. The broker's time is that of the origin. The record is secure if the event or its story
    /// is.
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
                categories: event.categories,
                origin: origin,
                config: config,
                at: at,
                verdict: verdict,
                isSecure: isSecure || event.delivery == .secure,
                traceparent: traceparent?.text,
                timing: timing,
                warnings: warnings,
                targets: targets,
                replay: event.replay
            )
        )
    }

    /// Creates the record of undecodable bytes, with the members that could be decoded.
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
                origin: origin,
                config: config,
                at: at,
                verdict: EventVerdict(.invalid, rejection.reason.rawValue, rejection.detail),
                traceparent: traceparent?.text
            )
        )
    }

    /// Creates the record of a gap in a partition: Kafka lost the records, so nobody was notified of their events. It is not
    /// final, because the events may come again.
    package init(
        lost offsets: Range<Int64>,
        of partition: TopicPartition,
        reason: String,
        _ detail: String,
        config: String,
        at: Timestamp
    ) {
        storage = Storage(
            Fields(
                event: "",
                story: "",
                revision: 0,
                kind: "",
                origin: RecordOrigin(partition: partition, offset: offsets.lowerBound, timestamp: nil),
                config: config,
                at: at,
                verdict: EventVerdict(.failed, "lost.\(reason)", detail),
                isFinal: false,
                records: Int64(offsets.count)
            )
        )
    }

    init(_ fields: Fields) {
        storage = Storage(fields)
    }

    package static func == (left: OutcomeRecord, right: OutcomeRecord) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    package struct Fields: Sendable, Equatable {
        package var event: String
        package var source: String?
        /// The key of the record.
        package var story: String
        package var revision: Int64
        package var kind: String
        /// The codes of the event; empty if it has none, or could not be decoded.
        package var categories: [String] = []
        package var origin: RecordOrigin
        /// The consumer group whose worker wrote it; `nil` if it is not recorded.
        package var group: String?
        /// Digest of the current mapping and texts.
        package var config: String
        package var at: Timestamp
        package var verdict: EventVerdict
        package var isFinal: Bool = true
        /// Whether its text must not be sent.
        package var isSecure: Bool = false
        /// The record's trace context, unchanged.
        package var traceparent: String?
        package var timing: Timing = Timing()
        package var warnings: [String] = []
        package var targets: [Target] = []
        /// The replay by which the event came again; `nil` if its sender sent it.
        package var replay: ReplayMark?
        /// The number of lost records from the origin on; `nil` for an event.
        package var records: Int64?
    }

    final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) {
            self.fields = fields
        }
    }
}
