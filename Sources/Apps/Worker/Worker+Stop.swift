import NewsflashBasics
import NewsflashObservability

extension Worker {
    /// Finishes requests in flight, commits, leaves the group and ends all threads.
    ///
    /// A part that does not end in time is abandoned; the process should then exit. A second call waits for the first.
    ///
    /// - Returns: Whether everything accepted by hubs is committed; `false` if the drain time was too short.
    @discardableResult
    package func stop() async -> Bool {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return await stopped.wait() ?? false }
        control.reader.areOrdersKnown.end(with: false)
        control.reloader.stop()
        kafka.controlWriter.close()
        watchdog.stop()
        for task in watchdogState.withLock({ $0.tasks }) { task.cancel() }
        // After a fault the partitions stay unassigned until this process exits or its session expires.
        let rest: Duration = observation.fatalFault.isReported ? .milliseconds(500) : .seconds(5)
        let isClosed = await services.shutDown(drain: configuration.drain, rest: rest)
        // The server's handler retains this worker.
        admin.withLock { $0 = nil }
        logger.notice("the worker has stopped", metadata: ["clean": .boolean(isClosed)])
        stopped.end(with: isClosed)
        return isClosed
    }
}
