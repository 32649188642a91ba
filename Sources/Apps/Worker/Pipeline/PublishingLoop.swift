import Dispatch
import HTTPTransport
import Kafka
import Locks
import NewsEvents
import NotificationHubs
import Publishing
import Timestamps

/// The one thread that owns the publishing machine.
///
/// Other threads put batches into its inbox and leave: the Kafka consumer's records, the ledger's, the hub's answers,
/// what was written. Each turn takes all that has come, feeds the machine, and performs what it asks for. Answers go before
/// all else, also before the rest of a turn: each of them makes room for a request.
final class PublishingLoop: Sendable {
    /// One thing that came.
    enum Arrival {
        case assigned([SourcePartition])
        case records([ReadRecord])
        /// Records ahead of the position of the consumer.
        case ahead([IncomingAhead])
        /// Partitions that others may own already.
        case lost([SourcePartition])
        case drain(Drain)
        /// The reports on records that were produced.
        case delivered([KafkaDeliveryReport])
        case commit([SourcePartition], succeeded: Bool)
        case restored(RestoredLedger)
        case recalled(RecalledRecord)
        case overwritten(LedgerOverwrite)
        /// A change of the orders of the control topic.
        case controlled(ControlChange)
        /// Rules for events that come from now on.
        case adopted(RuleSet)

        /// Whether health looks different at once.
        var movesPartitions: Bool {
            switch self {
            case .assigned, .lost, .drain, .restored: true
            case .records, .ahead, .delivered, .commit, .recalled, .overwritten, .controlled, .adopted:
                false
            }
        }
    }

    /// What came since the last turn, in order: a partition's messages must not change places with its leaving.
    private struct Inbox {
        var arrivals: [Arrival] = []
        /// What the hub answered; apart, as it goes before all else.
        var answers: [[SendResult]] = []
        var isStopping = false
        /// Whether the thread has been woken and has not yet come to look.
        var isSignalled = false
    }

    /// A question of the consumer's thread, which waits for the answer.
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

    /// How many answers are heard before what they allow goes out.
    private static let answersAtATime = 8

    private let decode: @Sendable (KafkaMessage) -> DecodeOutcome
    private let inbox = Locked(Inbox())
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Makes a loop, whose thread is still to come.
    ///
    /// - Parameter decode: Tells what a message says; called on the thread that brings it.
    init(decode: @escaping @Sendable (KafkaMessage) -> DecodeOutcome) {
        self.decode = decode
    }

    // MARK: For other threads

    func post(_ arrival: sending Arrival) {
        change { $0.arrivals.append(arrival) }
    }

    /// Takes messages, and reads them here, where nothing else waits.
    func take(_ messages: [KafkaMessage]) {
        post(.records(messages.map { ReadRecord($0, decode) }))
    }

    /// Finishes what partitions have in flight, and says what may be committed for them.
    ///
    /// Blocks until all is confirmed or the deadline has passed: for the consumer's thread only.
    ///
    /// - Parameters:
    ///   - partitions: Those that leave.
    ///   - limit: How long at most.
    /// - Returns: The next offset to read, for each partition of which records were done.
    func drain(_ partitions: [SourcePartition], within limit: Duration) -> [SourcePartition: Int64] {
        let drain = Drain(partitions: partitions, deadline: .now + limit)
        post(.drain(drain))
        // The loop answers at the deadline at the latest; a little more, so that it is the loop that decides.
        let patience = DispatchTime.now() + .nanoseconds(Int((limit + .seconds(1)).wholeNanoseconds))
        if drain.answered.wait(timeout: patience) == .timedOut {
            // The loop is stuck. When it turns again the partitions are gone, or ours anew: the question is void.
            post(.lost(partitions))
        }
        return drain.offsets.withLock { $0 }
    }

    /// Ends the thread after the turn it is in and once all that was decided is written and told; blocks until then.
    func stop() {
        change { $0.isStopping = true }
        ended.wait()
    }

    /// Answers an order that made no request.
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
    /// - Parameter edge: What the thread owns.
    func run(_ edge: consuming PublishingEdge) {
        var edge = edge
        var lease = Lease(sessionTimeout: edge.outlets.sessionTimeout, now: .now)
        var isStopping = false
        while !isStopping || edge.isParting {
            useThePause(&edge)
            wait(until: edge.hasUnread ? .now : edge.nextTimer(now: .now()))
            var batch = takeInbox()
            isStopping = isStopping || batch.isStopping
            // While it is not sure that our partitions are ours, only what takes them away is heard.
            while !lease.isHeld(now: .now, confirmed: edge.membershipConfirmed), !isStopping {
                if let loss = batch.arrivals.lastIndex(where: \.movesPartitions) {
                    giveBack(&edge, Array(batch.arrivals[...loss]))
                    batch.arrivals.removeFirst(loss + 1)
                }
                edge.outlets.observer.standsStill(now: .now)
                _ = signal.wait(timeout: .now() + .milliseconds(50))
                let more = takeInbox()
                batch.arrivals += more.arrivals
                batch.answers += more.answers
                isStopping = more.isStopping
            }
            turn(&edge, batch, lease: lease)
        }
        edge.finish()
        ended.signal()
    }

    /// Does what can wait, until something comes.
    private func useThePause(_ edge: inout PublishingEdge) {
        while !edge.hasUnread, !inbox.withLock({ $0.isSignalled }), edge.doWhatCanWait(now: .now()) {}
    }

    private func takeInbox() -> Inbox {
        inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
    }

    /// Sleeps until something comes or falls due; at most a second, so that health shows a thread that lives.
    private func wait(until due: Instant?) {
        let longest = Duration.seconds(1)
        let pause = due.map { min(longest, $0 - .now) } ?? longest
        // Also where something is due: signals that are not taken would pile up.
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(max(.zero, pause).wholeNanoseconds)))
    }

    /// Hears what has come and does what follows from it.
    ///
    /// - Parameters:
    ///   - edge: What the thread owns.
    ///   - batch: What has come.
    ///   - lease: Until when our partitions are ours.
    private func turn(_ edge: inout PublishingEdge, _ batch: Inbox, lease: Lease) {
        let isMoving = batch.arrivals.contains(where: \.movesPartitions)
        // Nothing is sent for a partition that leaves in this turn.
        hear(batch.answers, &edge, sendingNotAfter: isMoving ? nil : lease.end)
        for arrival in batch.arrivals {
            take(arrival, into: &edge, isSure: true)
            if !isMoving { hear(takeAnswers(), &edge, sendingNotAfter: lease.end) }
        }
        // What has ended is on its way to the ledger before anything new is planned: until it is there, it takes the room of
        // other requests.
        edge.perform(receiver: self, notAfter: lease.end)
        edge.recordFacts(notAfter: lease.end)
        edge.core.timePassed(now: .now())
        edge.perform(receiver: self, notAfter: lease.end)
        if edge.takeSlice(now: .now()) {
            edge.core.timePassed(now: .now())
            edge.perform(receiver: self, notAfter: lease.end)
            if !isMoving { hear(takeAnswers(), &edge, sendingNotAfter: lease.end) }
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

    /// Hears what has come while it is not sure that our partitions are ours; does nothing but giving them back.
    private func giveBack(_ edge: inout PublishingEdge, _ arrivals: [Arrival]) {
        for arrival in arrivals { take(arrival, into: &edge, isSure: false) }
        edge.answerDrains(now: .now())
    }

    /// Hears answers, a few at a time, and lets what they allow go out after each few: a burst of answers is not to become a
    /// burst of requests, which the hub would answer in a burst again.
    ///
    /// - Parameters:
    ///   - answers: What the hub answered.
    ///   - edge: What the thread owns.
    ///   - end: When it is too late to send anything; nil to send nothing now.
    private func hear(
        _ answers: [[SendResult]],
        _ edge: inout PublishingEdge,
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

    /// Takes the answers that have come since this turn began; none where partitions are to leave in the next, as nothing is to
    /// be sent for these.
    private func takeAnswers() -> [[SendResult]] {
        inbox.withLock { inbox in
            guard !inbox.arrivals.contains(where: \.movesPartitions) else { return [] }
            defer { inbox.answers = [] }
            return inbox.answers
        }
    }

    private func take(_ arrival: Arrival, into edge: inout PublishingEdge, isSure: Bool) {
        let now = Moment.now()
        // A partition's records must not change places with its leaving.
        if arrival.movesPartitions { edge.takeAll(now: now) }
        switch arrival {
        case .assigned(let partitions): edge.assign(partitions)
        case .records(let records): edge.keep(records)
        case .ahead(let records): edge.takeAhead(records, now: now)
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

extension PublishingLoop {
    /// Takes what requests came to.
    ///
    /// - Parameters:
    ///   - results: As the transport brings them.
    ///   - note: Sees each answer before the publishing thread does.
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

/// A record that another writer put into the ledger of a partition of ours.
struct LedgerOverwrite: Sendable {
    var source: SourcePartition
    /// `nil` for the record that says whose the partition is.
    var record: LateRecord?
}
