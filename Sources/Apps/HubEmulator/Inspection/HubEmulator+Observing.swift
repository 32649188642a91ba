import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps

/// Inspection for tests in the same process.
extension HubEmulator {
    /// The retained sends since the last reset, the oldest first; without those that were unfinished then.
    package var sends: [SendRecord] {
        state.withLock { $0.hub.log.records(after: $0.hub.log.base) }
    }

    /// The same without probes, which reach no device.
    package var pushes: [SendRecord] { sends.filter { !$0.isProbe } }

    /// Returns the successful deliveries of some notifications, the oldest first.
    ///
    /// - Parameter ids: The hub's ids of the notifications.
    /// - Returns: The deliveries that are retained and already processed; see ``settle()``.
    package func deliveries(ofNotifications ids: Set<String>) -> [Delivery] {
        let sequences = Set(ids.compactMap(NotificationID.sequence(of:)))
        return keptDeliveries.deliveries(after: 0, limit: .max) { delivery in
            delivery.outcome == .success && sequences.contains(delivery.send)
        }
    }

    /// All retained deliveries, the oldest first. Completes the fan-out first.
    package var settledDeliveries: [Delivery] {
        settle()
        return keptDeliveries.deliveries(after: 0, limit: .max) { _ in true }
    }

    /// The latest requests since the last reset, the oldest first.
    package var requests: [RequestRecord] {
        journal.records(after: 0, limit: .max) { _ in true }.0
    }

    private var keptDeliveries: KeptDeliveries { state.withLock { $0.hub.deliveries.kept } }

    /// The counters since the last reset.
    package var stats: HubStatistics {
        state.withLock { $0.hub.statistics }
    }

    /// Replaces the active faults.
    ///
    /// - Parameters:
    ///   - faults: The request faults; empty for none.
    ///   - deliveries: The delivery faults; empty for none.
    package func setFaults(_ faults: [Fault], deliveries: [DeliveryFault] = []) {
        let now = configuration.clock()
        publish(change { $0.setFaults(FaultSet(requests: faults, deliveries: deliveries), now: now) }.1)
    }

    /// Replaces all faults by one.
    ///
    /// - Parameter fault: The fault; `nil` for none.
    package func setFault(_ fault: Fault?) {
        setFaults(fault.map { [$0] } ?? [])
    }

    /// Removes finished sends, all deliveries and counters; sequence numbers continue.
    package func reset() {
        publish(change { $0.reset() }.1)
        journal.removeAll()
        outcomes.removeAll()
    }

    /// Waits until the hub has accepted a number of sends since the last reset.
    ///
    /// - Parameter count: The number of sends.
    /// - Returns: The retained sends; fewer than `count` if the task was cancelled.
    package func waitForSends(count: Int) async -> [SendRecord] {
        let sequence = state.withLock { $0.hub.log.base } + Int64(count)
        await wait(for: sequence)
        return sends
    }

    /// Waits until the hub has accepted a number of sends since the last reset, not counting probes.
    ///
    /// - Parameter count: The number of sends.
    /// - Returns: The retained sends; fewer than `count` if the task was cancelled.
    package func waitForPushes(count: Int) async -> [SendRecord] {
        var sends = await waitForSends(count: count)
        while sends.count(where: { !$0.isProbe }) < count, !Task.isCancelled {
            sends = await waitForSends(count: sends.count + 1)
        }
        return sends.filter { !$0.isProbe }
    }

    /// Waits for the next send after a sequence number.
    ///
    /// - Parameter sequence: The sequence number; zero for the first retained send.
    /// - Returns: The send; `nil` if the task was cancelled or a reset removed the send meanwhile.
    package func nextSend(after sequence: Int64) async -> SendRecord? {
        await wait(for: sequence + 1)
        return state.withLock { $0.hub.log.records(after: sequence, limit: 1).first }
    }

    /// A stream of all sends from now on.
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
        await wait(for: sequence, in: \.sendWaiters) { $0.log.last }
    }

    /// Waits until enough deliveries match a query, or until its time is over.
    func waitForDeliveries(_ query: DeliveryQuery) async {
        guard let wait = query.wait else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: wait.count, of: query) }
            group.addTask { try? await Task.sleep(for: wait.timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for count: Int, of query: DeliveryQuery) async {
        var seen = query.page.after
        var found = 0
        while !Task.isCancelled {
            let kept = keptDeliveries
            // Only those that have arrived since the last look.
            found += kept.deliveries(after: seen, limit: count - found, where: query.matches).count
            guard found < count else { return }
            seen = max(seen, kept.last)
            // No delivery has the number of a client that passes the largest one.
            await wait(for: min(seen, .max - 1) + 1, in: \.deliveryWaiters) { $0.deliveries.last }
        }
    }

    private func wait(
        for sequence: Int64,
        in waiters: any WritableKeyPath<State, LogWaiters> & Sendable,
        last: @Sendable (EmulatedHub) -> Int64
    ) async {
        let id = state.withLock { $0[keyPath: waiters].makeID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    // If the task was already cancelled, the handler below has run and found no waiter.
                    guard last(state.hub) < sequence, !Task.isCancelled else { return true }
                    state[keyPath: waiters].add(continuation, id: id, sequence: sequence)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0[keyPath: waiters].remove(id: id) }?.resume()
        }
    }
}

/// Requests below `/_emulator`.
extension HubEmulator {
    /// Answers from the current state. The hub is locked only during the lookup, not while the response is written.
    func inspect(
        _ request: EmulatedRequest,
        segments: [String],
        target: RequestTarget,
        now: Timestamp
    ) -> HTTPResponse {
        let inspection = Inspection(
            request: request,
            segments: segments,
            target: target,
            host: target.host ?? request.headers["Host"] ?? configuration.host,
            now: now,
            journal: journal,
            outcomes: outcomes
        )
        let facts = EmulatorFacts(
            hubName: configuration.hubName,
            tier: configuration.tier,
            consoleRule: state.withLock { $0.hub.consoleRule },
            url: url,
            authority: authority,
            console: consoleExtension.withLock { $0 }
        )
        let (found, change) = change { inspection.inspect(&$0, about: facts) }
        publish(change)
        if let failure = change.failure { return .problem(500, failure.description) }
        return found()
    }

    /// Records the outcome of an event, and sends it to the open consoles.
    ///
    /// - Parameter outcome: The outcome, as reported by the worker.
    package func report(_ outcome: NewsOutcome) {
        outcomes.append(outcome)
    }

    /// Sets the program around the emulator.
    ///
    /// - Parameter program: The program; with `nil`, the console sends to the hub directly.
    package func setConsoleExtension(_ program: (any ConsoleExtension)?) {
        consoleExtension.withLock { $0 = program }
    }
}
