import Locks
import Timestamps

/// What follows from a change of the hub's state: storage, those who wait, those who watch, work in the background.
extension HubEmulator {
    /// What is to be done once the lock is free.
    struct Change {
        var awakened: [CheckedContinuation<Void, Never>]
        var hasWork: Bool
        /// Why a change is in memory only.
        var failure: DeviceStoreError?
    }

    /// Changes the state, and keeps the change before anyone hears of it.
    ///
    /// - Parameters:
    ///   - isWrite: Whether to try again what storage did not take, though nothing more changes: the repetition of a
    ///     request that was answered with the failure finds its work done.
    ///   - body: The change.
    /// - Returns: What the body returned, and what is to be done.
    func change<Result>(isWrite: Bool = false, _ body: (inout EmulatedHub) -> Result) -> (Result, Change) {
        let now = configuration.clock()
        let isWatched = !streams.isEmpty
        return state.withLock { state in
            let result = body(&state.hub)
            let failure = state.keepChanges(isWrite: isWrite)
            let notices = state.hub.notices
            state.hub.notices = HubNotices()
            // In here, because nothing else keeps the order: outside, what happened later may be told earlier. It takes
            // the lock of the streams, and nobody takes this one within that.
            if isWatched, !notices.isEmpty {
                streams.send(notices.events(of: state.hub, faults: state.hub.currentFaults(now: now)))
            }
            let change = Change(
                awakened: state.waiters.takeReady(last: state.hub.log.last),
                hasWork: state.hub.hasWork(now: now) || state.hub.queue.nextDue != nil,
                failure: failure
            )
            return (result, change)
        }
    }

    /// Wakes everyone who has to do something.
    func publish(_ change: Change) {
        for continuation in change.awakened { continuation.resume() }
        if change.hasWork { wakeRunner() }
    }
}

extension HubEmulator.State {
    /// Writes what changed, after what could not be written before.
    ///
    /// - Parameter isWrite: Whether to try although nothing changed.
    /// - Returns: Why some of it is in memory only; it is tried again with the next change.
    mutating func keepChanges(isWrite: Bool) -> DeviceStoreError? {
        guard let store else {
            hub.changes.removeAll()
            return nil
        }
        guard !hub.changes.isEmpty || (isWrite && !unwritten.isEmpty) else { return nil }
        defer { hub.changes.removeAll(keepingCapacity: true) }
        do throws(DeviceStoreError) {
            try store.write(unwritten.isEmpty ? hub.changes : unwritten.changes + hub.changes)
            if !unwritten.isEmpty { unwritten.removeAll() }
            return nil
        } catch {
            unwritten.append(hub.changes)
            return error
        }
    }
}
