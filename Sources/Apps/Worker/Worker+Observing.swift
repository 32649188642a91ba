import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps

extension Worker {
    /// The worker's status, as `/status` shows it.
    var status: WorkerStatus {
        let now = Timestamp.now()
        return WorkerStatus(
            version: WorkerVersion.current,
            instance: configuration.instance,
            group: configuration.group,
            startedAt: startedAt,
            publishing: observation.observer.snapshot.status,
            lags: lag.lags(now: now),
            notes: readiness.notes,
            losses: observation.losses.latest
        )
    }

    var readiness: Readiness {
        var readiness = readiness(stall: watchdogState.withLock { $0.stall })
        if let note = control.reloader.note { readiness.notes.append(note) }
        readiness.notes += kafka.controlWriter.faults
        return readiness
    }

    /// Returns whether the worker is ready.
    ///
    /// - Parameter stall: The watchdog's message about stalled work.
    /// - Returns: The readiness, with the reasons if it is not ready.
    func readiness(stall: String?) -> Readiness {
        let snapshot = observation.observer.snapshot
        let group = kafka.consumer.groupState
        let startFault = startFault.withLock { $0 }
        return Readiness(
            Readiness.Facts(
                status: snapshot.status,
                turnedAt: snapshot.turnedAt,
                kafkaFaults: kafka.forwarder.presentFaults(at: .now()),
                writeFailure: kafka.forwarder.writeFailure,
                group: group,
                groupFor: .now - group.since,
                ledgerFaults: ledger.reader.faults,
                // Without Kafka nothing can be read; `startFault` covers this.
                controlFault: startFault == nil ? control.reader.fault : nil,
                isUnsure: snapshot.isUnsure,
                startFault: startFault,
                stall: stall,
                isStopping: isStopping.withLock { $0 },
                now: .now
            )
        )
    }

    /// The response to a scrape.
    ///
    /// - Parameter format: The text format.
    /// - Returns: All metrics with their current values.
    func scrape(_ format: MetricsFormat) -> String {
        let now = Timestamp.now()
        let snapshot = observation.observer.snapshot
        if let status = snapshot.status {
            observation.metrics.status.set(status, age: snapshot.takenAt.map { .now - $0 } ?? .zero, now: now)
        }
        observation.metrics.lag.set(lag.lags(now: now))
        observation.metrics.health.set(readiness, kafkaFaults: kafka.forwarder.presentFaults(at: now).count)
        observation.metrics.showBuild(config: control.reloader.digest)
        return observation.metrics.registry.text(format)
    }
}
