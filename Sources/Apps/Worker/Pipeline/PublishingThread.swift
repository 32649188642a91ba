import Dispatch
import NewsflashBasics
import NewsflashPublishing
import NewsflashTimestamps

/// The only thread that owns the publishing core.
///
/// Each turn empties the inbox, passes it to the core, and performs the core's requests. Responses come first, even before the
/// rest of a turn, because each one makes room for a request.
final class PublishingThread: WorkerService {
    /// The number of responses handled before the requests that they allow are sent.
    private static let answersAtATime = 8

    private let inbox: PublishingInbox
    private let makeRunner: @Sendable () -> PublishingRunner
    private let hasStarted = Locked(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Prepares the thread.
    ///
    /// - Parameters:
    ///   - inbox: The inputs.
    ///   - makeRunner: Makes the state that the thread owns; called on the thread.
    init(_ inbox: PublishingInbox, makeRunner: @escaping @Sendable () -> PublishingRunner) {
        self.inbox = inbox
        self.makeRunner = makeRunner
    }

    // MARK: For other threads

    func start() throws(WorkerStartError) {
        guard startThread(named: "publishing", { [self] in run(makeRunner()) }) else {
            throw WorkerStartError(.system, "cannot start the publishing thread")
        }
        hasStarted.withLock { $0 = true }
    }

    func shutDown(within limit: Duration) async -> Bool {
        await runBlocking { [self] in stop() }
        return true
    }

    /// Ends the thread after its current turn, once everything decided is written and reported; blocks until then.
    func stop() {
        guard hasStarted.withLock({ $0 }) else { return }
        inbox.stop()
        ended.wait()
    }

    // MARK: On its own thread

    private func run(_ runner: consuming PublishingRunner) {
        var runner = runner
        var lease = Lease(sessionTimeout: runner.environment.sessionTimeout, now: .now)
        var isStopping = false
        while !isStopping || runner.isParting {
            useThePause(&runner)
            wait(until: runner.hasUnread ? .now : runner.nextTimer(now: .now()))
            var batch = inbox.dequeue()
            isStopping = isStopping || batch.isStopping
            // Until partition ownership is confirmed, only changes of partitions are handled.
            while !lease.isHeld(now: .now, confirmed: runner.membershipConfirmed), !isStopping {
                if let loss = batch.arrivals.lastIndex(where: \.movesPartitions) {
                    giveBack(&runner, Array(batch.arrivals[...loss]))
                    batch.arrivals.removeFirst(loss + 1)
                }
                runner.environment.observer.standsStill(now: .now)
                inbox.wait(within: .milliseconds(50))
                let more = inbox.dequeue()
                batch.arrivals += more.arrivals
                batch.answers += more.answers
                isStopping = more.isStopping
            }
            turn(&runner, batch, lease: lease)
        }
        runner.finish()
        ended.signal()
    }

    /// Does deferrable work until an input comes.
    private func useThePause(_ runner: inout PublishingRunner) {
        while !runner.hasUnread, !inbox.hasInput, runner.doWhatCanWait(now: .now()) {}
    }

    /// Waits for an input or the due time, at most a second, so that health sees a live thread.
    private func wait(until due: Instant?) {
        let longest = Duration.seconds(1)
        let pause = due.map { min(longest, $0 - .now) } ?? longest
        // Also if something is due: otherwise signals would pile up.
        inbox.wait(within: max(.zero, pause))
    }

    /// Handles a batch of inputs and performs the resulting requests.
    ///
    /// - Parameters:
    ///   - runner: The state that the thread owns.
    ///   - batch: The inputs.
    ///   - lease: The lease of our partitions.
    private func turn(_ runner: inout PublishingRunner, _ batch: PublishingInbox.Batch, lease: Lease) {
        let isMoving = batch.arrivals.contains(where: \.movesPartitions)
        // Nothing is sent for a partition that is revoked in this turn.
        handle(batch.answers, &runner, sendingNotAfter: isMoving ? nil : lease.end)
        for arrival in batch.arrivals {
            handle(arrival, in: &runner, isSure: true)
            if !isMoving { handle(inbox.dequeueAnswers(), &runner, sendingNotAfter: lease.end) }
        }
        // Finished requests are passed to the ledger before anything new is planned: until they are written, they take the room
        // of other requests.
        runner.perform(receiver: inbox, notAfter: lease.end)
        runner.recordFacts(notAfter: lease.end)
        runner.core.timePassed(now: .now())
        runner.perform(receiver: inbox, notAfter: lease.end)
        if runner.receiveSlice(now: .now()) {
            runner.core.timePassed(now: .now())
            runner.perform(receiver: inbox, notAfter: lease.end)
            if !isMoving { handle(inbox.dequeueAnswers(), &runner, sendingNotAfter: lease.end) }
        }
        runner.answerDrains(now: .now())
        runner.perform(receiver: inbox, notAfter: lease.end)
        runner.recordFacts(notAfter: lease.end)
        let now = Moment.now()
        runner.produceOutcomes(now: now)
        runner.environment.ledger.timePassed(now: now.instant)
        runner.environment.priorityScanner?.timePassed(working: { runner.core.workingPartitions }, now: now.instant)
        runner.publishStatus(now: now, atOnce: isMoving)
    }

    /// Handles inputs while partition ownership is not confirmed; only gives partitions back.
    private func giveBack(_ runner: inout PublishingRunner, _ arrivals: [PublishingInbox.Arrival]) {
        for arrival in arrivals { handle(arrival, in: &runner, isSure: false) }
        runner.answerDrains(now: .now())
    }

    /// Handles responses, a few at a time, and sends the requests that they allow after each few. Otherwise a burst of
    /// responses would become a burst of requests, and the hub's responses a burst again.
    ///
    /// - Parameters:
    ///   - answers: The hub's responses.
    ///   - runner: The state that the thread owns.
    ///   - end: The time after which nothing may be sent; `nil` to send nothing now.
    private func handle(
        _ answers: [[SendResult]],
        _ runner: inout PublishingRunner,
        sendingNotAfter end: ContinuousClock.Instant?
    ) {
        for batch in answers {
            var left = batch[...]
            while !left.isEmpty {
                let now = Moment.now()
                runner.core.requestsEnded(left.prefix(Self.answersAtATime), now: now)
                left = left.dropFirst(Self.answersAtATime)
                guard let end else { continue }
                runner.core.timePassed(now: now)
                runner.perform(receiver: inbox, notAfter: end)
            }
        }
    }

    private func handle(_ arrival: PublishingInbox.Arrival, in runner: inout PublishingRunner, isSure: Bool) {
        let now = Moment.now()
        // A partition's records must be handled before its revocation.
        if arrival.movesPartitions { runner.receiveAll(now: now) }
        switch arrival {
        case .assigned(let partitions): runner.assign(partitions)
        case .records(let records): runner.keep(records)
        case .ahead(let records): runner.receiveAhead(records, now: now)
        case .lost(let partitions): runner.lose(partitions, isFresh: isSure, now: now)
        case .drain(let drain): runner.begin(drain, now: now)
        case .delivered(let reports): runner.delivered(reports, now: now)
        case .restored(let ledger): runner.core.restored(ledger, now: now)
        case .recalled(let story): runner.core.recalled(story, now: now)
        case .controlled(let change): runner.core.controlled(change, now: now)
        case .adopted(let rules): runner.core.adopt(rules)
        case .overwritten(let overwrite): runner.overwritten(overwrite, now: now)
        case .commit(let partitions, let succeeded):
            runner.core.commitEnded(partitions, succeeded: succeeded, now: now)
        }
    }
}
