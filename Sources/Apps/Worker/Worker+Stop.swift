import CurlTransport
import Dispatch
import Kafka
import Locks
import StructuredLog

extension Worker {
    /// Finishes what is in flight, commits, leaves the group and ends all threads.
    ///
    /// Everything that is waited for has an end, also if its thread hangs; what does not end in time is left behind, and the
    /// process should end. A second call waits for the first.
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
        // The consumer asks for the drain itself; a little more time for the commit and the good-bye.
        let isClosed = await consumer.close(deadline: configuration.drain + rest)
        await leave("the publishing thread or the transport", after: rest) { [loop, transport] in
            await withCheckedContinuation { continuation in
                // Both wait for threads to end, so not on the cooperative pool.
                DispatchQueue.global().async {
                    loop.stop()
                    transport.shutdown()
                    continuation.resume()
                }
            }
        }
        await leave("a reader", after: rest + .seconds(1)) { [scout, ledger, control] in
            async let scouts: Void? = scout?.close()
            async let ledgers: Void = ledger.close()
            async let orders: Void = control.close()
            _ = await (scouts, ledgers, orders)
        }
        await leave("a producer", after: rest + .seconds(1)) { [producer, ledgerProducer] in
            async let ledgers = ledgerProducer.close(deadline: rest)
            async let others = producer.close(deadline: rest)
            _ = await (ledgers, others)
        }
        // Taken out, because the server's handler holds this worker.
        let admin = admin.withLock { $0.take() }
        await leave("the port of health and metrics", after: rest) { await admin?.stop() }
        logger.notice("the worker has stopped", metadata: ["clean": .boolean(isClosed)])
        stopped.end(with: isClosed)
        return isClosed
    }

    /// Waits for the end of a part of the worker, and no longer than a limit, which no thread of that part watches.
    private func leave(
        _ part: String,
        after limit: Duration,
        _ end: @escaping @Sendable () async -> Void
    ) async {
        let isOver = OneShot<Bool>()
        // Left behind if it hangs.
        Task {
            await end()
            isOver.end(with: true)
        }
        let nanoseconds = Int((limit / .nanoseconds(1)).rounded())
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { isOver.end(with: false) }
        guard await isOver.wait() != true else { return }
        logger.error("a part of the worker does not end, and is left behind", metadata: ["part": .string(part)])
    }
}
