import Locks
import StructuredLog

extension Worker {
    /// Finishes what is in flight, commits, leaves the group and ends all threads.
    ///
    /// A part that does not end in time is left behind, and the process should end. A second call waits for the first.
    ///
    /// - Returns: Whether all that was accepted is committed; `false` when the drain time was not enough.
    @discardableResult
    package func stop() async -> Bool {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return await stopped.wait() ?? false }
        control.areOrdersKnown.end(with: false)
        reloader.stop()
        orders.close()
        watchdog.stop()
        for task in sight.withLock({ $0.tasks }) { task.cancel() }
        // After a fault the group waits for this process, or for the end of the session.
        let rest: Duration = ends.fatal.isReported ? .milliseconds(500) : .seconds(5)
        let isClosed = await parts.end(drain: configuration.drain, rest: rest)
        // The server's handler holds this worker.
        admin.withLock { $0 = nil }
        logger.notice("the worker has stopped", metadata: ["clean": .boolean(isClosed)])
        stopped.end(with: isClosed)
        return isClosed
    }
}
