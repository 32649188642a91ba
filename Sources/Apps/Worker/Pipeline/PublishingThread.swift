import Dispatch
import HTTPTransport
import Kafka
import Locks
import NewsEvents
import NotificationHubs
import Publishing
import Timestamps

/// The only thread that owns the publishing core.
///
/// Other threads put batches into its inbox and return: records of the consumer and the ledger, responses of hubs, delivery
/// reports. Each turn empties the inbox, passes it to the core, and performs the core's requests. Responses come first,
/// even before the rest of a turn, because each one makes room for a request.
final class PublishingThread: Sendable {
    /// An input of the loop.
    enum Arrival {
        case assigned([SourcePartition])
        case records([DecodedRecord])
        /// Records ahead of the position of the consumer.
        case ahead([IncomingAhead])
        /// Partitions that others may own already.
        case lost([SourcePartition])
        case drain(Drain)
        /// Delivery reports of produced records.
        case delivered([KafkaDeliveryReport])
        case commit([SourcePartition], succeeded: Bool)
        case restored(RestoredLedger)
        case recalled(RecalledRecord)
        case overwritten(LedgerOverwrite)
        /// A change of the commands in the control topic.
        case controlled(ControlChange)
        /// Rules for later events.
        case adopted(RuleSet)

        /// Whether it changes health at once.
        var movesPartitions: Bool {
            switch self {
            case .assigned, .lost, .drain, .restored: true
            case .records, .ahead, .delivered, .commit, .recalled, .overwritten, .controlled, .adopted:
                false
            }
        }
    }

    /// Inputs since the last turn, in order: a partition's records must be handled before its revocation.
    private struct Inbox {
        var arrivals: [Arrival] = []
        /// Hub responses, kept separately because they are handled first.
        var answers: [[SendResult]] = []
        var isStopping = false
        /// Whether the thread was signalled and has not emptied the inbox yet.
        var isSignalled = false
    }

    /// A request of the consumer's thread, which waits for the response.
    final class Drain: Sendable {
        let partitions: [SourcePartition]
        let deadline: Instant
        let answered = DispatchSemaphore(value: 0)
        let offsets = Locked<[SourcePartition: Int64]>([:])

        init(partitions: [SourcePartition], deadline: Instant) {
            self.partitions = partitions
            self.deadline = deadline
        }
    }

    /// The number of responses handled before the requests that they allow are sent.
    private static let answersAtATime = 8

    private let decode: @Sendable (KafkaMessage) -> DecodeOutcome
    private let inbox = Locked(Inbox())
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Makes a loop; ``run(_:)`` runs it on its thread.
    ///
    /// - Parameter decode: Decodes a message; called on the thread that posts it.
    init(decode: @escaping @Sendable (KafkaMessage) -> DecodeOutcome) {
        self.decode = decode
    }

    // MARK: For other threads

    func post(_ arrival: sending Arrival) {
        change { $0.arrivals.append(arrival) }
    }

    /// Posts messages, decoded on the calling thread, where nothing else waits.
    func receive(_ messages: [KafkaMessage]) {
        post(.records(messages.map { DecodedRecord($0, decode) }))
    }

    /// Drains partitions and returns the offsets to commit.
    ///
    /// Blocks until everything is confirmed or the deadline has passed: only for the consumer's thread.
    ///
    /// - Parameters:
    ///   - partitions: The revoked partitions.
    ///   - limit: The time limit.
    /// - Returns: The next offset to read, for each partition with processed records.
    func drain(_ partitions: [SourcePartition], within limit: Duration) -> [SourcePartition: Int64] {
        let drain = Drain(partitions: partitions, deadline: .now + limit)
        post(.drain(drain))
        // The loop responds at the deadline at the latest. A little more time here lets the loop decide.
        let patience = DispatchTime.now() + .nanoseconds(Int((limit + .seconds(1)).wholeNanoseconds))
        if drain.answered.wait(timeout: patience) == .timedOut {
            // The loop is stuck. When it runs again, the partitions are gone or newly assigned, and the request is obsolete.
            post(.lost(partitions))
        }
        return drain.offsets.withLock { $0 }
    }

    /// Ends the thread after its current turn, once everything decided is written and reported; blocks until then.
    func stop() {
        change { $0.isStopping = true }
        ended.wait()
    }

    /// Fails a send request for which no HTTP request could be made.
    func refuse(_ id: SendID, _ error: HubError) {
        let failure = HTTPTransportError(.invalidRequest, error.description, mayHaveBeenReceived: false)
        receive([HTTPExchangeResult(id: id.number, result: .failure(failure))])
    }

    private func change(_ change: (inout Inbox) -> Void) {
        let wake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isSignalled = true }
            return !inbox.isSignalled
        }
        if wake { signal.signal() }
    }

    // MARK: On its own thread

    /// Runs turns until ``stop()``.
    ///
    /// - Parameter edge: The state that the thread owns.
    func run(_ edge: consuming PublishingRunner) {
        var edge = edge
        var lease = Lease(sessionTimeout: edge.outlets.sessionTimeout, now: .now)
        var isStopping = false
        while !isStopping || edge.isParting {
            useThePause(&edge)
            wait(until: edge.hasUnread ? .now : edge.nextTimer(now: .now()))
            var batch = dequeueInputs()
            isStopping = isStopping || batch.isStopping
            // Until partition ownership is confirmed, only changes of partitions are handled.
            while !lease.isHeld(now: .now, confirmed: edge.membershipConfirmed), !isStopping {
                if let loss = batch.arrivals.lastIndex(where: \.movesPartitions) {
                    giveBack(&edge, Array(batch.arrivals[...loss]))
                    batch.arrivals.removeFirst(loss + 1)
                }
                edge.outlets.observer.standsStill(now: .now)
                _ = signal.wait(timeout: .now() + .milliseconds(50))
                let more = dequeueInputs()
                batch.arrivals += more.arrivals
                batch.answers += more.answers
                isStopping = more.isStopping
            }
            turn(&edge, batch, lease: lease)
        }
        edge.finish()
        ended.signal()
    }

    /// Does deferrable work until an input comes.
    private func useThePause(_ edge: inout PublishingRunner) {
        while !edge.hasUnread, !inbox.withLock({ $0.isSignalled }), edge.doWhatCanWait(now: .now()) {}
    }

    private func dequeueInputs() -> Inbox {
        inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
    }

    /// Waits for an input or the due time, at most a second, so that health sees a live thread.
    private func wait(until due: Instant?) {
        let longest = Duration.seconds(1)
        let pause = due.map { min(longest, $0 - .now) } ?? longest
        // Also if something is due: otherwise signals would pile up.
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(max(.zero, pause).wholeNanoseconds)))
    }

    /// Handles a batch of inputs and performs the resulting requests.
    ///
    /// - Parameters:
    ///   - edge: The state that the thread owns.
    ///   - batch: The inputs.
    ///   - lease: The lease of our partitions.
    private func turn(_ edge: inout PublishingRunner, _ batch: Inbox, lease: Lease) {
        let isMoving = batch.arrivals.contains(where: \.movesPartitions)
        // Nothing is sent for a partition that is revoked in this turn.
        handle(batch.answers, &edge, sendingNotAfter: isMoving ? nil : lease.end)
        for arrival in batch.arrivals {
            handle(arrival, in: &edge, isSure: true)
            if !isMoving { handle(dequeueAnswers(), &edge, sendingNotAfter: lease.end) }
        }
        // Finished requests are passed to the ledger before anything new is planned: until they are written, they take the room
        // of other requests.
        edge.perform(receiver: self, notAfter: lease.end)
        edge.recordFacts(notAfter: lease.end)
        edge.core.timePassed(now: .now())
        edge.perform(receiver: self, notAfter: lease.end)
        if edge.receiveSlice(now: .now()) {
            edge.core.timePassed(now: .now())
            edge.perform(receiver: self, notAfter: lease.end)
            if !isMoving { handle(dequeueAnswers(), &edge, sendingNotAfter: lease.end) }
        }
        edge.answerDrains(now: .now())
        edge.perform(receiver: self, notAfter: lease.end)
        edge.recordFacts(notAfter: lease.end)
        let now = Moment.now()
        edge.produceOutcomes(now: now)
        edge.outlets.ledger.timePassed(now: now.instant)
        edge.outlets.scout?.timePassed(working: { edge.core.workingPartitions }, now: now.instant)
        edge.publishStatus(now: now, atOnce: isMoving)
    }

    /// Handles inputs while partition ownership is not confirmed; only gives partitions back.
    private func giveBack(_ edge: inout PublishingRunner, _ arrivals: [Arrival]) {
        for arrival in arrivals { handle(arrival, in: &edge, isSure: false) }
        edge.answerDrains(now: .now())
    }

    /// Handles responses, a few at a time, and sends the requests that they allow after each few. Otherwise a burst of
    /// responses would become a burst of requests, and the hub's responses a burst again.
    ///
    /// - Parameters:
    ///   - answers: The hub's responses.
    ///   - edge: The state that the thread owns.
    ///   - end: The time after which nothing may be sent; `nil` to send nothing now.
    private func handle(
        _ answers: [[SendResult]],
        _ edge: inout PublishingRunner,
        sendingNotAfter end: ContinuousClock.Instant?
    ) {
        for batch in answers {
            var left = batch[...]
            while !left.isEmpty {
                let now = Moment.now()
                edge.core.requestsEnded(left.prefix(Self.answersAtATime), now: now)
                left = left.dropFirst(Self.answersAtATime)
                guard let end else { continue }
                edge.core.timePassed(now: now)
                edge.perform(receiver: self, notAfter: end)
            }
        }
    }

    /// Dequeues the responses that came since this turn began; none if partitions are revoked in the next turn, because nothing
    /// may be sent for these.
    private func dequeueAnswers() -> [[SendResult]] {
        inbox.withLock { inbox in
            guard !inbox.arrivals.contains(where: \.movesPartitions) else { return [] }
            defer { inbox.answers = [] }
            return inbox.answers
        }
    }

    private func handle(_ arrival: Arrival, in edge: inout PublishingRunner, isSure: Bool) {
        let now = Moment.now()
        // A partition's records must be handled before its revocation.
        if arrival.movesPartitions { edge.receiveAll(now: now) }
        switch arrival {
        case .assigned(let partitions): edge.assign(partitions)
        case .records(let records): edge.keep(records)
        case .ahead(let records): edge.receiveAhead(records, now: now)
        case .lost(let partitions): edge.lose(partitions, isFresh: isSure, now: now)
        case .drain(let drain): edge.begin(drain, now: now)
        case .delivered(let reports): edge.delivered(reports, now: now)
        case .restored(let ledger): edge.core.restored(ledger, now: now)
        case .recalled(let story): edge.core.recalled(story, now: now)
        case .controlled(let change): edge.core.controlled(change, now: now)
        case .adopted(let rules): edge.core.adopt(rules)
        case .overwritten(let overwrite): edge.overwritten(overwrite, now: now)
        case .commit(let partitions, let succeeded):
            edge.core.commitEnded(partitions, succeeded: succeeded, now: now)
        }
    }
}

extension PublishingThread {
    /// Receives the results of requests.
    ///
    /// - Parameters:
    ///   - results: The results from the transport.
    ///   - note: Called with each reply before the publishing thread has it.
    func receive(_ results: [HTTPExchangeResult], noting note: (HubReply, Duration?) -> Void = { _, _ in }) {
        let now = Timestamp.now()
        let replies = results.map { result in
            let reply = HubClient.reply(to: result.result, now: now)
            note(reply, result.took)
            return SendResult(id: SendID(result.id), reply: reply, took: result.took)
        }
        change { $0.answers.append(replies) }
    }
}

/// A record that another writer put into the ledger of one of our partitions.
struct LedgerOverwrite: Sendable {
    var source: SourcePartition
    /// `nil` for an owner record.
    var record: LateRecord?
}
