import Locks
import Timestamps

/// What follows from a change of the hub's state: storage, those who wait, those who watch, work in the background.
extension HubEmulator {
    /// What is to be done once the lock is free.
    struct Change {
        var awakened: [CheckedContinuation<Void, Never>]
        var events: [EventStreams.Event]
        var hasWork: Bool
    }

    /// Changes the state, and keeps the change before anyone hears of it.
    func change<Result>(_ body: (inout EmulatedHub) -> Result) -> (Result, Change) {
        let now = configuration.clock()
        let isWatched = !streams.isEmpty
        return state.withLock { state in
            let result = body(&state.hub)
            state.hub.changes = []
            let notices = state.hub.notices
            state.hub.notices = HubNotices()
            let change = Change(
                awakened: state.waiters.takeReady(last: state.hub.log.last),
                events: isWatched && !notices.isEmpty
                    ? notices.events(of: state.hub, faults: state.hub.currentFaults(now: now)) : [],
                hasWork: state.hub.hasWork(now: now) || state.hub.queue.nextDue != nil
            )
            return (result, change)
        }
    }

    /// Tells everyone who has to know.
    func publish(_ change: Change) {
        for continuation in change.awakened { continuation.resume() }
        streams.send(change.events)
        if change.hasWork { wakeRunner() }
    }
}
