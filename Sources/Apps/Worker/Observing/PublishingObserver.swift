import Locks
import Publishing
import StructuredLog
import Timestamps

/// Tells people what the publishing thread does: one log line an event at its end, metrics, and the status for health.
final class PublishingObserver: Sendable {
    private let logger: Logger
    private let metrics: WorkerMetrics
    private let audience: (any WorkerAudience)?
    private let latest = Locked(Snapshot())

    private struct Snapshot {
        var status: PublishingStatus?
        var at: Timestamp?
    }

    init(logger: Logger, metrics: WorkerMetrics, audience: (any WorkerAudience)?) {
        self.logger = logger
        self.metrics = metrics
        self.audience = audience
    }

    /// The machine's status after its latest turn, and when that was.
    var snapshot: (status: PublishingStatus?, at: Timestamp?) {
        latest.withLock { ($0.status, $0.at) }
    }

    /// Notes the end of a turn; at most ten times a second, as a status looks at every open event.
    ///
    /// - Parameters:
    ///   - core: The machine after the turn.
    ///   - now: When the turn began.
    ///   - isUrgent: Whether to note it however short the time, as when partitions have come or gone.
    func turned(_ core: borrowing PublishingCore, at now: Timestamp, publishingAtOnce isUrgent: Bool) {
        let last = latest.withLock { $0.at }
        if let last, !isUrgent, last <= now, now - last < .milliseconds(100) { return }
        let status = core.status
        latest.withLock { $0 = Snapshot(status: status, at: now) }
        metrics.set(status, oldestAge: status.oldestConsumedAt.map { max(0, (now - $0).inSeconds) } ?? 0)
    }

    /// Takes a report; health shows a hold before anyone else hears of it.
    func observe(_ report: PublishingReport) {
        switch report {
        case .held(let hold): latest.withLock { $0.status?.hold = hold }
        case .released: latest.withLock { $0.status?.hold = nil }
        default: break
        }
        audience?.heard(report)
        switch report {
        case .ended(let outcome): ended(outcome)
        case .tombstone(let origin):
            metrics.passedTombstone()
            logger.debug("a record without a value was passed over", metadata: origin.metadata)
        case .held(let hold):
            logger.error(
                "the line is held: nothing is sent, nothing is lost",
                metadata: [
                    LogKey.reason: .string(hold.reason.rawValue), LogKey.detail: .string(hold.detail),
                    LogKey.remedy: .string(hold.reason.remedy),
                ]
            )
        case .released(let reason, let after):
            logger.notice(
                "the line is released",
                metadata: [LogKey.reason: .string(reason.rawValue), LogKey.seconds: .double(after.inSeconds)]
            )
        case .paused(let until):
            logger.notice("the hub asked for a pause", metadata: [LogKey.due: .string(until.rfc3339)])
        case .retrying(let event, let attempt, let label, let detail, let at):
            metrics.retried(label)
            logger.info(
                "a request will be tried again",
                metadata: [
                    LogKey.event: .string(event), LogKey.attempt: LogValue(attempt), LogKey.label: .string(label),
                    LogKey.detail: .string(detail), LogKey.due: .string(at.rfc3339),
                ]
            )
        case .writeFailed(let event, let detail, let at):
            metrics.writeFailed()
            logger.warning(
                "an outcome was not confirmed and will be written again",
                metadata: [
                    LogKey.event: .string(event), LogKey.detail: .string(detail), LogKey.due: .string(at.rfc3339),
                ]
            )
        }
    }

    /// Notes that the outcomes of so many events are confirmed.
    func confirmed(_ count: Int) {
        guard count > 0 else { return }
        audience?.confirmed(count)
    }

    private func ended(_ outcome: OutcomeRecord) {
        metrics.ended(outcome)
        let level: LogLevel = outcome.verdict.isDeadLetter ? .warning : .info
        guard level >= logger.logLevel else { return }
        var metadata = outcome.origin.metadata
        // What could not be read of a record is left out.
        if !outcome.event.isEmpty { metadata[LogKey.event] = .string(outcome.event) }
        if !outcome.story.isEmpty { metadata[LogKey.story] = .string(outcome.story) }
        if outcome.revision > 0 { metadata[LogKey.revision] = LogValue(outcome.revision) }
        if !outcome.kind.isEmpty { metadata[LogKey.kind] = .string(outcome.kind) }
        metadata[LogKey.outcome] = .string(outcome.verdict.outcome.rawValue)
        if let reason = outcome.verdict.reason { metadata[LogKey.reason] = .string(reason) }
        if let detail = outcome.verdict.detail { metadata[LogKey.detail] = .string(detail) }
        if let latency = outcome.timing.lastAccept { metadata[LogKey.latency] = .double(latency) }
        if let id = outcome.targets.first?.trackingID { metadata[LogKey.trackingID] = .string(id) }
        logger.log(level: level, "an event ended", metadata: metadata)
    }
}

extension RecordOrigin {
    fileprivate var metadata: LogMetadata {
        [
            LogKey.topic: .string(partition.topic), LogKey.partition: LogValue(partition.number),
            LogKey.offset: LogValue(offset),
        ]
    }
}
