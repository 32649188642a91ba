import Locks

/// Inspection for tests in the same process.
extension HubEmulator {
    /// The accepted sends since the last reset, the oldest first; at most as many as are kept.
    package var sends: [SendRecord] {
        state.withLock { $0.hub.log.records(after: 0) }
    }

    /// The same without probes, which nobody gets.
    package var pushes: [SendRecord] { sends.filter { !$0.isProbe } }

    /// What devices got of certain messages, the oldest first; only what was a success.
    ///
    /// - Parameter ids: The hub's names of the messages.
    /// - Returns: Of what is kept and has been found so far; see ``settle()``.
    package func deliveries(ofNotifications ids: Set<String>) -> [Delivery] {
        let sequences = Set(ids.compactMap(NotificationID.sequence(of:)))
        return keptDeliveries.deliveries(after: 0, limit: .max) { delivery in
            delivery.outcome == .success && sequences.contains(delivery.send)
        }
    }

    /// What devices got, the oldest first; at most as many as are kept. Finds all targets first.
    package var settledDeliveries: [Delivery] {
        settle()
        return keptDeliveries.deliveries(after: 0, limit: .max) { _ in true }
    }

    /// The latest requests since the last reset, the oldest first.
    package var requests: [RequestRecord] {
        journal.records(after: 0, limit: .max) { _ in true }.0
    }

    private var keptDeliveries: KeptDeliveries { state.withLock { $0.hub.deliveries.kept } }

    /// Counts since the last reset.
    package var stats: HubStatistics {
        state.withLock { $0.hub.statistics }
    }

    /// Sets what goes wrong, in place of what did.
    ///
    /// - Parameters:
    ///   - faults: Of requests; empty for none.
    ///   - deliveries: Of deliveries; empty for none.
    package func setFaults(_ faults: [Fault], deliveries: [DeliveryFault] = []) {
        let now = configuration.clock()
        publish(change { $0.setFaults(FaultSet(requests: faults, deliveries: deliveries), now: now) }.1)
    }

    /// Sets the one thing that goes wrong.
    ///
    /// - Parameter fault: `nil` for none.
    package func setFault(_ fault: Fault?) {
        setFaults(fault.map { [$0] } ?? [])
    }

    /// Forgets sends and counts; sequence numbers go on.
    package func reset() {
        publish(change { $0.reset() }.1)
        journal.removeAll()
    }

    /// Waits until so many sends were accepted since the last reset.
    ///
    /// - Parameter count: How many.
    /// - Returns: Those that are kept; fewer where the task was cancelled.
    package func waitForSends(count: Int) async -> [SendRecord] {
        let sequence = state.withLock { $0.hub.log.base } + Int64(count)
        await wait(for: sequence)
        return sends
    }

    /// Waits until so many sends that are no probes were accepted since the last reset.
    ///
    /// - Parameter count: How many.
    /// - Returns: Those that are kept; fewer where the task was cancelled.
    package func waitForPushes(count: Int) async -> [SendRecord] {
        var sends = await waitForSends(count: count)
        while sends.count(where: { !$0.isProbe }) < count, !Task.isCancelled {
            sends = await waitForSends(count: sends.count + 1)
        }
        return sends.filter { !$0.isProbe }
    }

    /// Waits for the first send after a sequence number.
    ///
    /// - Parameter sequence: Zero for the first that is kept.
    /// - Returns: Nothing where the task was cancelled, or where a reset removed it meanwhile.
    package func nextSend(after sequence: Int64) async -> SendRecord? {
        await wait(for: sequence + 1)
        return state.withLock { $0.hub.log.records(after: sequence, limit: 1).first }
    }

    /// All sends from now on, as they come.
    package func sendStream() -> AsyncStream<SendRecord> {
        let position = Locked(state.withLock { $0.hub.log.last })
        return AsyncStream {
            let last = position.withLock { $0 }
            guard let record = await self.nextSend(after: last) else { return nil }
            position.withLock { $0 = record.sequence }
            return record
        }
    }

    private func wait(for sequence: Int64) async {
        let id = state.withLock { $0.waiters.makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    // Where the task was cancelled already, the handler below has run and found nothing to wake.
                    guard state.hub.log.last < sequence, !Task.isCancelled else { return true }
                    state.waiters.add(continuation, id: id, sequence: sequence)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.remove(id: id) }?.resume()
        }
    }
}
