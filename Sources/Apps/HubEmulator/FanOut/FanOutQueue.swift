import NewsflashBasics
import NewsflashTimestamps

/// The sends with unfinished fan-outs. Started ones take turns, so that a small one does not wait for a large one.
struct FanOutQueue {
    /// The maximum number of started fan-outs; each uses four bytes per candidate registration.
    static let mostBegun = 64

    private var begun = FIFOQueue<FanOut>()
    private var waiting = FIFOQueue<FanOut>()
    private var scheduled = ScheduledSends()

    /// The number of sends with unfinished fan-outs, without scheduled ones.
    var count: Int { begun.count + waiting.count }

    /// The time of the next scheduled send.
    var nextDue: Timestamp? { scheduled.nextDue }

    /// Adds a send.
    mutating func append(_ fanOut: FanOut) {
        waiting.append(fanOut)
    }

    /// Adds a scheduled send, which can be cancelled by its id.
    mutating func schedule(_ fanOut: FanOut, id: String, at due: Timestamp) {
        var fanOut = fanOut
        fanOut.isScheduled = true
        scheduled.insert(ScheduledSends.Entry(due: due, id: id, fanOut: fanOut))
    }

    /// Cancels a scheduled send.
    ///
    /// - Returns: Whether a send with this id was still scheduled in this hub.
    mutating func cancel(sequence: Int64, id: String, hub: String) -> Bool {
        scheduled.remove(sequence) { $0.id == id && $0.fanOut.hub == hub }
    }

    /// Starts the scheduled sends that are due.
    ///
    /// - Returns: Their sequence numbers; at most `limit`.
    mutating func begin(now: Timestamp, limit: Int) -> [Int64] {
        var begun: [Int64] = []
        while begun.count < limit, var fanOut = scheduled.popDue(now: now)?.fanOut {
            begun.append(fanOut.message.sequence)
            // After a suspend of the machine, an overdue send still has the full time limit.
            fanOut.enqueued = now
            waiting.append(fanOut)
        }
        return begun
    }

    /// Removes sends that have waited too long to start.
    ///
    /// - Returns: At most `limit`.
    mutating func abandon(now: Timestamp, limit: Int) -> [FanOut] {
        var abandoned: [FanOut] = []
        while abandoned.count < limit, waiting.first?.isOverdue(at: now) == true, let fanOut = waiting.popFirst() {
            abandoned.append(fanOut)
        }
        return abandoned
    }

    /// Removes and returns the next send; pass it to ``goOn(_:)`` if it is unfinished.
    mutating func next() -> FanOut? {
        while begun.count < Self.mostBegun, let fanOut = waiting.popFirst() { begun.append(fanOut) }
        return begun.popFirst()
    }

    /// Puts back a send that is unfinished after its turn.
    mutating func goOn(_ fanOut: FanOut) {
        begun.append(fanOut)
    }

    /// Removes and returns all unfinished fan-outs of a hub.
    mutating func removeAll(of hub: String) -> [FanOut] {
        begun.removeAll { $0.hub == hub } + waiting.removeAll { $0.hub == hub }
    }

    /// Removes and returns all scheduled sends of a hub.
    mutating func cancelAll(of hub: String) -> [FanOut] {
        scheduled.removeAll { $0.fanOut.hub == hub }
    }
}

/// Runs the fan-out in the background, in portions, and wakes up for scheduled sends.
extension HubEmulator {
    /// The number of registrations checked while the lock is held, which takes a fraction of a millisecond.
    static let portion = 512

    /// Completes all fan-outs that are due; for tests without a server.
    package func settle() {
        while advance() {}
    }

    /// Processes one portion.
    ///
    /// - Returns: Whether more can be done now.
    private func advance() -> Bool {
        let now = configuration.clock()
        let (hasMore, change) = change { hub in
            guard hub.hasWork(now: now) else { return false }
            hub.advance(limit: Self.portion, now: now)
            return hub.hasWork(now: now)
        }
        for continuation in change.awakened { continuation.resume() }
        return hasMore
    }

    /// Starts the runner if there is work, or sets an alarm for the next scheduled send.
    func wakeRunner() {
        guard configuration.fansOutInBackground else { return }
        let now = configuration.clock()
        let (hasWork, due) = state.withLock { ($0.hub.hasWork(now: now), $0.hub.queue.nextDue) }
        if hasWork { startRunner() } else if let due { setAlarm(due, now: now) }
    }

    private func startRunner() {
        runner.withLock { runner in
            guard !runner.isRunning, !runner.isStopped else { return }
            runner.isRunning = true
            runner.task = Task.detached { [weak self] in
                // Each turn holds its own reference, so that the emulator can be deallocated between turns.
                while !Task.isCancelled, self?.advance() == true { await Task.yield() }
                self?.endRun()
            }
        }
    }

    private func endRun() {
        runner.withLock { $0.isRunning = false }
        // Otherwise work that arrived since the last check would never be processed.
        wakeRunner()
    }

    private func setAlarm(_ due: Timestamp, now: Timestamp) {
        runner.withLock { runner in
            guard !runner.isStopped, runner.alarm.map({ due < $0 }) ?? true else { return }
            runner.alarm = due
            runner.alarmTask?.cancel()
            runner.alarmTask = Task.detached { [weak self] in
                try? await Task.sleep(for: due - now)
                guard !Task.isCancelled, let self else { return }
                self.runner.withLock { $0.alarm = nil }
                wakeRunner()
            }
        }
    }

    /// Stops the background tasks.
    func stopRunner() {
        runner.withLock { runner in
            runner.isStopped = true
            runner.task?.cancel()
            runner.alarmTask?.cancel()
            // Otherwise the alarm would seem to be set after a restart.
            runner.alarm = nil
        }
    }

    struct Runner {
        var isRunning = false
        var isStopped = false
        var task: Task<Void, Never>?
        var alarm: Timestamp?
        var alarmTask: Task<Void, Never>?
    }
}
