import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

extension Worker {
    /// Ends the worker if only a new process helps: if a thread hangs, as known of librdkafka 2.0.2 during rebalances, or if
    /// work waits for minutes without a reason. The group then assigns our partitions to other workers.
    ///
    /// It checks by the clock, because no event reports that nothing happens.
    func watchOver() {
        watchdog.start { [weak self] in
            self?.lookForHangs()
        } overdue: { [weak self] pause in
            let time = pause.components.seconds
            self?.end(because: "a check of the watchdog has not ended for \(time) s: a thread hangs and blocks it")
        }
        // In a task of its own, because responses of dead leaders come late.
        let asking = Task { [weak self] in
            while (try? await Task.sleep(for: StallDetector.askingInterval)) != nil, let self {
                let isBehind = await self.isBehindLeaders
                self.watchdogState.withLock { $0.isBehindLeaders = isBehind }
            }
        }
        // Also in a task of its own, for metrics and status.
        let measuring = Task { [lag] in await lag.watch() }
        watchdogState.withLock { $0.tasks = [asking, measuring] }
    }

    /// One check of the watchdog, on its own thread.
    func lookForHangs() {
        observation.faultLog.timePassed()
        let signs = HangDetector.Heartbeats(
            consumer: kafka.consumer.health,
            publishing: observation.observer.snapshot.turnedAt.map { .now - $0 },
            readers: ledger.reader.silences + control.reader.silences
        )
        if let hang = watchdogState.withLock({ $0.hangs.check(signs, now: .now) }) { return end(because: hang) }
        let (work, isDue) = (workDone, isWorkDue)
        judge(watchdogState.withLock { $0.progress.check(work, isDue: isDue) })
    }

    func end(because reason: String) {
        observation.fatalFault.report(WorkerFault("\(reason). The worker exits so that it can be restarted"))
    }

    // MARK: - Work without progress

    private var workDone: StallDetector.Work {
        let status = observation.observer.snapshot.status
        var positions: [TopicPartition: Int64] = [:]
        for partition in status?.partitions ?? [] {
            positions[partition.source] = kafka.consumer.position(of: partition.source)
        }
        return StallDetector.Work(orders: status?.orders ?? 0, positions: positions)
    }

    /// Whether there are unread records or unfinished events, and no reported condition delays them.
    private var isWorkDue: Bool {
        guard let status = observation.observer.snapshot.status, readiness(stall: nil).isReady else { return false }
        let busy = ["queued", "sending", "ending", "recording"].reduce(0) { $0 + (status.events[$1] ?? 0) }
        return busy + status.waitingForOthers > 0 || watchdogState.withLock { $0.isBehindLeaders }
    }

    /// Whether the leaders of our partitions have records that the consumer has not read, except those of open transactions.
    /// The consumer's own end offsets are as old as its last fetch, which may be what hangs.
    private var isBehindLeaders: Bool {
        get async {
            var isBehind = false
            let places = (observation.observer.snapshot.status?.partitions ?? []).map(\.source)
            kafka.forwarder.beginPoll(places)
            for place in places {
                guard let position = kafka.consumer.position(of: place) else { continue }
                do throws(KafkaError) {
                    let end = try await kafka.consumer.watermarks(of: place, timeout: .seconds(5)).high
                    kafka.forwarder.recordPoll(of: place, isBehind: end > position)
                    isBehind = isBehind || end > position
                } catch {
                    kafka.forwarder.recordPollFailure(of: place, error)
                }
            }
            return isBehind
        }
    }

    private func judge(_ verdict: StallDetector.Verdict) {
        switch verdict {
        case .fine:
            watchdogState.withLock { $0.stall = nil }
        case .stalled(let pause):
            let text =
                "work waits without a known cause, and nothing has moved for \(pause.components.seconds) s"
            let isNew = watchdogState.withLock { state in
                defer { state.stall = text }
                return state.stall == nil
            }
            guard isNew else { return }
            logger.error(
                "work waits and nothing moves",
                metadata: [
                    LogKey.seconds: LogValue(Int(pause.components.seconds)), LogKey.detail: .string(dump),
                    LogKey.remedy: .string(
                        "report this line; the worker exits if this lasts five minutes"
                    ),
                ]
            )
        case .lost(let pause):
            end(because: "work has waited for \(pause.components.seconds) s and nothing moved: \(dump)")
        }
    }

    /// The state of all waiting work, in one line.
    private var dump: String {
        guard let status = observation.observer.snapshot.status else {
            return "the publishing thread has not reported a status"
        }
        let partitions = status.partitions.map { partition in
            let progress = PriorityScanPlan.Progress(of: partition.source, in: kafka.consumer)
            return
                "\(partition.source) \(partition.phase.rawValue) at \(progress.position.offsetText) of \(progress.end.offsetText)"
        }
        let events = PublishingStatus.stateNames.map { "\(status.events[$0] ?? 0) \($0)" }
        let group = kafka.consumer.groupState
        return
            (partitions + events + [
                "\(status.waitingForOthers) for others", "\(status.ahead) ahead",
                "\(status.inFlight) requests in flight of \(status.concurrencyLimit)",
                "\(status.unconfirmed) writes unconfirmed", "\(kafka.consumer.readAheadInUse) bytes read ahead",
                kafka.consumer.isReadAheadUsedUp ? "read-ahead used up" : "read-ahead open",
                "group \(group.phase.rawValue) (\(group.step))",
            ]).joined(separator: ", ")
    }
}

/// The watchdog's state.
struct WatchdogState: Sendable {
    var hangs: HangDetector
    var progress = StallDetector()
    var tasks: [Task<Void, Never>] = []
    var isBehindLeaders = false
    /// The message about work that waits without a known cause.
    var stall: String?
}

extension Int64? {
    fileprivate var offsetText: String { map { "\($0)" } ?? "an unknown offset" }
}
