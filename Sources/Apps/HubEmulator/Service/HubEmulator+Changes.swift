import NewsflashBasics
import NewsflashTimestamps

/// The consequences of a change to the hub's state: storage, waiting callers, event streams and background work.
extension HubEmulator {
    /// The work to do after the lock is released.
    struct Change {
        var awakened: [CheckedContinuation<Void, Never>]
        var hasWork: Bool
        /// The storage error if a change is only in memory.
        var failure: DeviceStoreError?
    }

    /// Changes the state and stores the change before anyone can observe it.
    ///
    /// - Parameters:
    ///   - isWrite: Whether to retry unwritten changes even if this call changes nothing. A repeated request whose first
    ///     response was a storage failure finds its work already done in memory.
    ///   - body: The change to make.
    /// - Returns: The result of `body`, and the work to do after the lock is released.
    func change<Result>(isWrite: Bool = false, _ body: (inout EmulatedHub) -> Result) -> (Result, Change) {
        let now = configuration.clock()
        let isWatched = !streams.isEmpty
        return state.withLock { state in
            state.hub.catchUp(now: now)
            let result = body(&state.hub)
            let failure = state.keepChanges(isWrite: isWrite)
            let notices = state.hub.notices
            state.hub.notices = HubNotices()
            // Sent under the lock, which alone keeps the order: outside it, a later change could be sent before an earlier
            // one. This takes the lock of the streams; no code takes the two locks in the opposite order.
            if isWatched, !notices.isEmpty {
                streams.send(notices.events(of: state.hub, faults: state.hub.currentFaults(now: now)))
            }
            let change = Change(
                awakened: state.sendWaiters.removeReady(last: state.hub.log.last)
                    + state.deliveryWaiters.removeReady(last: state.hub.deliveries.last),
                hasWork: state.hub.hasWork(now: now) || state.hub.queue.nextDue != nil,
                failure: failure
            )
            return (result, change)
        }
    }

    /// Wakes waiting callers and the fan-out runner.
    func publish(_ change: Change) {
        for continuation in change.awakened { continuation.resume() }
        if change.hasWork { wakeRunner() }
    }
}

extension HubEmulator.State {
    /// Writes the changes, after those that could not be written before.
    ///
    /// - Parameter isWrite: Whether to retry unwritten changes even if nothing changed.
    /// - Returns: The error if some changes are only in memory. They are retried with the next change.
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
