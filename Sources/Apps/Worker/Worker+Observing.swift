import OpenMetrics
import Publishing
import Timestamps

extension Worker {
    /// The worker's status, as `/status` shows it.
    var status: WorkerStatus {
        let now = Timestamp.now()
        return WorkerStatus(
            version: WorkerVersion.current,
            instance: configuration.instance,
            group: configuration.group,
            startedAt: startedAt,
            publishing: observer.snapshot.status,
            lags: lag.lags(now: now),
            notes: readiness.notes,
            losses: ends.losses.latest
        )
    }

    /// The response to a scrape.
    ///
    /// - Parameter format: The text format.
    /// - Returns: All metrics with their current values.
    func scrape(_ format: MetricsFormat) -> String {
        let now = Timestamp.now()
        let snapshot = observer.snapshot
        if let status = snapshot.status {
            metrics.status.set(status, age: snapshot.takenAt.map { .now - $0 } ?? .zero, now: now)
        }
        metrics.lag.set(lag.lags(now: now))
        metrics.health.set(readiness, kafkaFaults: ends.presentFaults(at: now).count)
        metrics.showBuild(config: reloader.digest)
        return metrics.registry.text(format)
    }
}
