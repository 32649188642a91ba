import Locks
import Timestamps

/// Finds targets in the background, a portion at a time, and wakes for scheduled sends.
extension HubEmulator {
    /// How many registrations are asked with the lock held: a fraction of a millisecond.
    static let portion = 512

    /// Finds all targets that can be found now; for tests without a server.
    package func settle() {
        while advance() {}
    }

    /// Takes one portion.
    ///
    /// - Returns: Whether there is more to do now.
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

    /// Sees to it that someone works while there is work.
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
                // Each turn holds the emulator for itself, so that it can go between two.
                while !Task.isCancelled, self?.advance() == true { await Task.yield() }
                self?.endRun()
            }
        }
    }

    private func endRun() {
        runner.withLock { $0.isRunning = false }
        // What came between the last look and here would wait for ever.
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

    /// Ends what runs in the background.
    func stopRunner() {
        runner.withLock { runner in
            runner.isStopped = true
            runner.task?.cancel()
            runner.alarmTask?.cancel()
            // Else a start would take it for set.
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
