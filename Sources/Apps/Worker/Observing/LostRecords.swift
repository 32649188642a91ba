import Dispatch
import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The records that Kafka lost: logs them, counts them, shows the latest in the status, and writes an outcome for each gap.
final class LostRecords: Sendable {
    /// One gap.
    struct Loss: Sendable, Equatable {
        var gap: KafkaLogGap
        var at: Timestamp
    }

    private struct State: Sendable {
        var latest: [Loss] = []
        var write: (@Sendable (KafkaRecord) -> Void)?
        /// Outcomes that are not confirmed, by the ids of their records.
        var pending: [UInt64: KafkaRecord] = [:]
        var lastID = LostRecords.firstID
    }

    /// The lower bound of this type's record ids: the producer's other records count from one, or from twice this value.
    private static let firstID = UInt64.max / 8
    /// The number of gaps that the status shows.
    private static let shown = 20
    private let outcomes: String
    private let group: String
    private let config: String
    /// The delay before a failed write of an outcome is retried.
    private let pause: DispatchTimeInterval
    private let logger: Logger
    private let counters: [KafkaLogGap.Reason: [String: Counter]]
    private let state = Locked(State())

    /// Makes the counters of all topics, at zero.
    ///
    /// - Parameters:
    ///   - topics: The topics of the sources.
    ///   - outcomes: The topic of the outcomes.
    ///   - group: The consumer group.
    ///   - config: The digest of the rules, for the outcomes.
    ///   - registry: The metrics of the worker.
    ///   - pause: The delay before a failed write of an outcome is retried.
    ///   - logger: The log of the worker.
    init(
        of topics: [String],
        outcomes: String,
        group: String,
        config: String,
        registry: MetricsRegistry,
        pause: DispatchTimeInterval = .seconds(5),
        logger: Logger
    ) {
        self.pause = pause
        self.outcomes = outcomes
        self.group = group
        self.config = config
        self.logger = logger
        var counters: [KafkaLogGap.Reason: [String: Counter]] = [:]
        for topic in Set(topics) {
            for reason in KafkaLogGap.Reason.allCases {
                counters[reason, default: [:]][topic] = registry.counter(
                    "newsflash_records_lost",
                    help: "Records that Kafka lost: deleted before they were read, or truncated.",
                    dimensions: [("topic", topic), ("reason", reason.rawValue)]
                )
            }
        }
        self.counters = counters
    }

    /// The latest gaps, oldest first.
    var latest: [Loss] { state.withLock { $0.latest } }

    /// Sets the function that writes outcomes, whose reports are passed to ``reported(_:)``.
    func open(_ write: @escaping @Sendable (KafkaRecord) -> Void) { state.withLock { $0.write = write } }

    /// Records a gap.
    func add(_ gap: KafkaLogGap, at now: Timestamp = .now()) {
        logger.error(
            "Kafka has lost records of a source",
            metadata: [
                LogKey.topic: .string(gap.partition.topic), LogKey.partition: LogValue(gap.partition.partition),
                LogKey.reason: .string(gap.reason.rawValue), "from": LogValue(gap.offsets.lowerBound),
                "to": LogValue(gap.offsets.upperBound - 1), "records": LogValue(gap.offsets.count),
                LogKey.remedy: .string(gap.reason.remedy),
            ]
        )
        counters[gap.reason]?[gap.partition.topic]?.increment(by: Int64(gap.offsets.count))
        let outcome = OutcomeRecord(
            lost: gap.offsets,
            of: gap.partition,
            reason: gap.reason.rawValue,
            gap.reason.detail,
            config: config,
            at: now
        )
        var bytes: [UInt8] = []
        outcome.appendJSON(to: &bytes, by: group)
        var record = KafkaRecord(topic: outcomes, value: bytes)
        record = state.withLock { [record] state in
            var record = record
            state.latest = state.latest.suffix(Self.shown - 1) + [Loss(gap: gap, at: now)]
            state.lastID += 1
            record.id = state.lastID
            state.pending[record.id] = record
            return record
        }
        write(record)
    }

    private func write(_ record: KafkaRecord) {
        state.withLock { $0.write }?(record)
    }

    /// Receives delivery reports. A failed write of an outcome is retried.
    func reported(_ reports: [KafkaDeliveryReport]) {
        for report in reports where report.id > Self.firstID && report.id < Self.firstID * 2 {
            guard case .failure = report.result else {
                state.withLock { $0.pending[report.id] = nil }
                continue
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [weak self] in
                guard let self, let record = self.state.withLock({ $0.pending[report.id] }) else { return }
                self.write(record)
            }
        }
    }
}

extension KafkaLogGap.Reason {
    /// The description for the person on call.
    fileprivate var detail: String {
        switch self {
        case .retention: "Kafka deleted these records before they were read"
        case .truncated:
            "the log was cut below the read position, or the topic was recreated; later records, if any, are unknown"
        case .partitionRemoved: "the partition was deleted before these records were read"
        case .topicRecreated: "the topic was recreated; later records of the old one, if any, are unknown"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .retention:
            "ask the sources for the events of that time and publish them again; give the topic a longer retention"
        case .partitionRemoved:
            "ask the sources for the events of that time and publish them to a topic that exists; find out who deleted this one"
        case .truncated, .topicRecreated:
            "no remaining record is skipped; ask the sources for the events of that time, and find out who did it"
        }
    }
}

extension JSONWriter {
    /// Writes gaps as an array.
    mutating func value(of losses: [LostRecords.Loss]) {
        beginArray()
        for loss in losses {
            beginObject()
            member("partition", loss.gap.partition.description)
            member("from", loss.gap.offsets.lowerBound)
            member("to", loss.gap.offsets.upperBound - 1)
            member("records", Int64(loss.gap.offsets.count))
            member("reason", loss.gap.reason.rawValue)
            member("at", loss.at.rfc3339)
            endObject()
        }
        endArray()
    }
}
