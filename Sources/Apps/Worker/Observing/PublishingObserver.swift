import NewsflashBasics
import NewsflashEvents
import NewsflashObservability
package import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Reports what the publishing core does: one log line for each event at its end, metrics, and the status for health.
final class PublishingObserver: Sendable {
    private let logger: Logger
    private let metrics: WorkerMetrics
    private let follower: (any WorkerObserver)?
    /// Ends the worker if the core refuses to work.
    private let fatal: FatalFault?
    private let latest = Locked(PublishingSnapshot())

    init(
        logger: Logger,
        metrics: WorkerMetrics,
        follower: (any WorkerObserver)?,
        fatal: FatalFault? = nil
    ) {
        self.logger = logger
        self.metrics = metrics
        self.follower = follower
        self.fatal = fatal
    }

    /// The latest status of the core.
    var snapshot: PublishingSnapshot { latest.withLock { $0 } }

    /// Records the end of a turn, at most ten times a second, because a status visits every open event.
    ///
    /// - Parameters:
    ///   - core: The core after the turn.
    ///   - now: The start of the turn.
    ///   - hasTakenAll: Whether the core has received all records that were posted to it.
    ///   - isUrgent: Whether to record it regardless of the interval, as after a change of partitions.
    func turned(
        _ core: borrowing PublishingCore,
        at now: Moment,
        hasTakenAll: Bool,
        publishingAtOnce isUrgent: Bool
    ) {
        let last = latest.withLock { $0.isOutdated ? nil : $0.turnedAt }
        if let last, !isUrgent, now.instant - last < .milliseconds(100) { return }
        let status = core.status(now: now)
        latest.withLock {
            $0 = PublishingSnapshot(
                status: status,
                takenAt: now.instant,
                hasTakenAll: hasTakenAll,
                turnedAt: now.instant
            )
        }
    }

    /// Records that the thread runs, but does nothing because partition ownership is not confirmed.
    func standsStill(now: Instant) {
        let isFirst = latest.withLock { latest in
            latest.turnedAt = now
            defer { latest.isUnsure = true }
            return !latest.isUnsure
        }
        guard isFirst else { return }
        logger.warning(
            "partition ownership is not confirmed, perhaps after a suspension: nothing is sent or written until it is"
        )
    }

    /// Records a report on the publishing thread, so that `/readyz` shows an open circuit before the log does.
    func record(_ report: PublishingReport) {
        switch report {
        case .circuitOpened(let circuit, let hub): show(circuit, at: hub)
        case .circuitClosed(_, let hub, _): show(nil, at: hub)
        case .refused(let partition, let conflicts): fatal?.report(WorkerFault(conflicts, in: partition))
        default: break
        }
    }

    private func show(_ circuit: OpenCircuit?, at hub: String) {
        latest.withLock { latest in
            if var hubs = latest.status?.hubs, let place = hubs.firstIndex(where: { $0.name == hub }) {
                hubs[place].circuit = circuit
                latest.status?.hubs = hubs
                latest.status?.circuit = hubs.lazy.compactMap(\.circuit).first
            }
            latest.isOutdated = true
        }
    }

    /// Logs and counts a report, in its turn.
    func tell(_ report: PublishingReport) {
        follower?.received(report)
        switch report {
        case .ended(let outcome): ended(outcome)
        case .deferred(let outcome):
            var metadata = outcome.origin.metadata.merging([
                LogKey.event: .string(outcome.event), LogKey.story: .string(outcome.story),
                LogKey.reason: .string(outcome.verdict.reason ?? outcome.verdict.outcome.rawValue),
            ])
            if let trace = outcome.traceID { metadata = metadata.merging([LogKey.trace: .string(trace)]) }
            logger.info("an event waits in the ledger", metadata: metadata)
        case .recognized(let origin):
            metrics.recognized()
            logger.debug("a record that was already processed was skipped", metadata: origin.metadata)
        case .rewound(let partition, let from, let to):
            logger.error(
                "the offsets of a partition went back: its topic was recreated or lost records",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "from": LogValue(from), "to": LogValue(to),
                    LogKey.remedy: .string(
                        "nothing is skipped, and events in the ledger are not sent again. Find out who recreated the topic"
                    ),
                ]
            )
        case .repaired(let story, let partition):
            metrics.repaired()
            logger.warning(
                "another worker wrote late into the ledger; the record was repaired",
                metadata: [
                    LogKey.story: .string(story), LogKey.topic: .string(partition.topic),
                    LogKey.partition: LogValue(partition.partition),
                ]
            )
        case .withdrawalMissing(let story, let partition):
            logger.error(
                "a late record shows subscribers that a withdrawal did not reach, and the source no longer contains its record",
                metadata: [
                    LogKey.story: .string(story), LogKey.topic: .string(partition.topic),
                    LogKey.partition: LogValue(partition.partition),
                    LogKey.remedy: .string("withdraw the story again"),
                ]
            )
        case .restored(let partition, let stories, let waiting):
            logger.notice(
                "a partition was restored",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "stories": LogValue(stories), "waiting": LogValue(waiting),
                ]
            )
        case .gaveUp(let partition, let requests):
            logger.warning(
                "a partition was revoked before hubs responded: its next owner sends these requests again",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "requests": LogValue(requests),
                    LogKey.remedy: .string("if this happens often, set delivery.drain above the hubs' response time"),
                ]
            )
        case .leftUnconfirmed(let partition, let events):
            logger.warning(
                "a partition was revoked before Kafka confirmed all records: its next owner may process these events again",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    "events": LogValue(events),
                    LogKey.remedy: .string("if this happens often, find out why brokers confirm the ledger late"),
                ]
            )
        case .refused(let partition, let conflicts):
            logger.error(
                "a partition is refused, because its ledger uses a label for another hub; the worker exits",
                metadata: [
                    LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
                    LogKey.detail: .string(WorkerFault(conflicts, in: partition).description),
                ]
            )
        case .tombstone(let origin):
            metrics.passedTombstone()
            logger.debug("a record without a value was skipped", metadata: origin.metadata)
        case .circuitOpened(let circuit, let hub):
            logger.error(
                "the circuit of a hub is open: nothing is sent to it, nothing is lost",
                metadata: [
                    LogKey.hub: .string(hub), LogKey.reason: .string(circuit.reason.rawValue),
                    LogKey.detail: .string(circuit.detail),
                    LogKey.remedy: .string(circuit.reason.remedy),
                ]
            )
        case .circuitClosed(let reason, let hub, let after):
            logger.notice(
                "the circuit of a hub is closed: sending continues",
                metadata: [
                    LogKey.hub: .string(hub), LogKey.reason: .string(reason.rawValue),
                    LogKey.seconds: .double(after.inSeconds),
                ]
            )
        case .controlled(let order):
            logger.log(level: order.act == .pause ? .error : .notice, order.message, metadata: order.metadata)
        case .throttled(let hub, let until):
            logger.notice(
                "a hub asked for a pause: only express events are tried until then",
                metadata: [LogKey.hub: .string(hub), LogKey.due: .string(until.rfc3339)]
            )
        case .retrying(let event, let attempt, let label, let detail, let at):
            metrics.retried(label)
            logger.info(
                "a request will be retried",
                metadata: [
                    LogKey.event: .string(event), LogKey.attempt: LogValue(attempt), LogKey.label: .string(label),
                    LogKey.detail: .string(detail), LogKey.due: .string(at.rfc3339),
                ]
            )
        case .writeFailed(let event, let detail, let at):
            metrics.writeFailed()
            logger.warning(
                "an outcome was not confirmed and will be written again",
                // A record that cannot be read has no event.
                metadata: (event.isEmpty ? [:] : [LogKey.event: .string(event)] as LogMetadata)
                    .merging([LogKey.detail: .string(detail), LogKey.due: .string(at.rfc3339)])
            )
        }
    }

    /// Receives the number of events whose outcomes were confirmed.
    func confirmed(_ count: Int) {
        guard count > 0 else { return }
        follower?.confirmed(count)
    }

    private func ended(_ outcome: OutcomeRecord) {
        metrics.ended(outcome)
        // A kill that reaches nobody must be noticed.
        let isLoud = outcome.warnings.contains("story.unknown")
        let level: LogLevel = isLoud ? .error : outcome.verdict.isDeadLetter ? .warning : .info
        guard level >= logger.logLevel else { return }
        // In the order of the keys. Unreadable parts of a record are omitted.
        var metadata = LogMetadata(reservingCapacity: 14)
        let targets = outcome.targets
        let attempts = targets.reduce(0) { $0 + $1.report.attempts }
        // Usually one attempt per target, which is not logged.
        if attempts > targets.count { metadata.append(LogKey.attempts, LogValue(attempts)) }
        if let detail = outcome.verdict.detail { metadata.append(LogKey.detail, .string(detail)) }
        if !outcome.event.isEmpty { metadata.append(LogKey.event, .string(outcome.event)) }
        if !outcome.kind.isEmpty { metadata.append(LogKey.kind, .string(outcome.kind)) }
        if outcome.revision > 0 { metadata.append(LogKey.revision, LogValue(outcome.revision)) }
        if !outcome.story.isEmpty { metadata.append(LogKey.story, .string(outcome.story)) }
        if let id = targets.first?.report.trackingID { metadata.append(LogKey.trackingID, .string(id)) }
        metadata.append(LogKey.offset, LogValue(outcome.origin.offset))
        metadata.append(LogKey.partition, LogValue(outcome.origin.partition.partition))
        metadata.append(LogKey.topic, .string(outcome.origin.partition.topic))
        if let latency = outcome.timing.lastAccept { metadata.append(LogKey.latency, .double(latency)) }
        metadata.append(LogKey.outcome, .string(outcome.verdict.outcome.rawValue))
        if let reason = outcome.verdict.reason { metadata.append(LogKey.reason, .string(reason)) }
        if let trace = outcome.traceID { metadata.append(LogKey.trace, .string(trace)) }
        if let replay = outcome.replay {
            metadata.append(LogKey.replay, .string(replay.id))
            metadata.append(LogKey.replayed, .string(replay.origin))
        }
        logger.log(level: level, "an event ended", metadata: metadata)
    }
}

extension OutcomeRecord {
    fileprivate var traceID: String? { self.traceparent.map { TraceParent.traceID(of: $0) } }
}

extension ControlRecord {
    fileprivate var message: String {
        guard act == .resume else { return "a source is paused: its news waits" }
        return scope.event == nil ? "a source was resumed" : "an event was resumed; its source stays as it is"
    }

    fileprivate var metadata: LogMetadata {
        let author =
            switch author {
            case .person(let name): name
            case .volumeLimit: "volume_limit"
            }
        let common: LogMetadata = [
            "by": .string(author), LogKey.reason: .string(reason), "since": .string(at.rfc3339),
        ]
        if let event = scope.event {
            return common.merging([LogKey.event: .string(event.id), LogKey.story: .string(event.story)])
        }
        let metadata = common.merging(["source": .string(scope.description)])
        guard act == .pause else { return metadata }
        return metadata.merging([LogKey.remedy: .string("check the source's events, then run 'newsflash resume'")])
    }
}

extension RecordOrigin {
    fileprivate var metadata: LogMetadata {
        [
            LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.partition),
            LogKey.offset: LogValue(offset),
        ]
    }
}

/// Observes a worker, such as the demo's screen.
package protocol WorkerObserver: Sendable {
    /// Receives a report.
    ///
    /// Called on the publishing thread, which makes no decisions meanwhile: return at once.
    func received(_ report: PublishingReport)

    /// Receives the number of events whose outcomes were confirmed, on the same thread.
    ///
    /// - Parameter count: At least one.
    func confirmed(_ count: Int)
}

extension WorkerObserver {
    /// Does nothing.
    ///
    /// - Parameter count: At least one.
    package func confirmed(_ count: Int) {}
}

/// The latest status of the publishing core.
struct PublishingSnapshot: Sendable {
    /// `nil` before the first turn of the core.
    var status: PublishingStatus?
    /// The time of ``status``.
    var takenAt: Instant?
    /// Whether the core had received all records that were posted to it.
    var hasTakenAll = false
    /// The time of the thread's latest turn, even if it did nothing.
    var turnedAt: Instant?
    /// Whether something has happened that the status does not show yet.
    var isOutdated = false
    /// Whether partition ownership is not confirmed.
    var isUnsure = false
}
