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
/// Other threads put batches into its inbox and leave: the Kafka consumer's records, the hub's answers, delivery reports.
/// Each turn takes all that has come, feeds the machine, and performs what it asks for.
final class PublishingLoop: Sendable {
    /// What came since the last turn.
    private struct Inbox {
        var assigned: [SourcePartition] = []
        var messages: [KafkaMessage] = []
        var replies: [SendResult] = []
        var reports: [KafkaDeliveryReport] = []
        var commits: [(partitions: [SourcePartition], succeeded: Bool)] = []
        var drains: [Drain] = []
        var lost: [SourcePartition] = []
        var isStopping = false
        /// Whether the thread has been woken and has not yet come to look.
        var isSignalled = false
    }

    /// A question of the consumer's thread, which waits for the answer.
    final class Drain: Sendable {
        let partitions: [SourcePartition]
        let deadline: Timestamp
        let answered = DispatchSemaphore(value: 0)
        let offsets = Locked<[SourcePartition: Int64]>([:])

        init(partitions: [SourcePartition], deadline: Timestamp) {
            self.partitions = partitions
            self.deadline = deadline
        }
    }

    private let inbox = Locked(Inbox())
    private let signal = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    // MARK: For other threads

    func assign(_ partitions: [SourcePartition]) {
        post { $0.assigned += partitions }
    }

    func take(_ messages: [KafkaMessage]) {
        post { $0.messages += messages }
    }

    func takeReports(_ reports: [KafkaDeliveryReport]) {
        post { $0.reports += reports }
    }

    func commitEnded(_ partitions: [SourcePartition], succeeded: Bool) {
        post { $0.commits.append((partitions, succeeded)) }
    }

    /// Takes partitions away at once; what of them is still in the inbox was read under an assignment that is over.
    func lose(_ partitions: [SourcePartition]) {
        let lost = Set(partitions)
        post { inbox in
            inbox.assigned.removeAll { lost.contains($0) }
            inbox.messages.removeAll { lost.contains(SourcePartition($0.topicPartition)) }
            inbox.lost += partitions
        }
    }

    /// Finishes what partitions have in flight, and says what may be committed for them.
    ///
    /// Blocks until all is confirmed or the deadline has passed: for the consumer's thread only.
    ///
    /// - Parameters:
    ///   - partitions: Those that leave.
    ///   - limit: How long at most.
    /// - Returns: The next offset to read, for each partition that has come that far.
    func drain(_ partitions: [SourcePartition], within limit: Duration) -> [SourcePartition: Int64] {
        let drain = Drain(partitions: partitions, deadline: Timestamp.now() + limit)
        post { $0.drains.append(drain) }
        // The loop answers at the deadline at the latest; a little more, so that it is the loop that decides.
        let patience = DispatchTime.now() + .nanoseconds(Int((limit + .seconds(1)).wholeNanoseconds))
        if drain.answered.wait(timeout: patience) == .timedOut {
            // The loop is stuck. When it turns again the partitions are gone, or ours anew: the question is void.
            post { $0.drains.removeAll { $0 === drain } }
            lose(partitions)
        }
        return drain.offsets.withLock { $0 }
    }

    /// Ends the thread after the turn it is in; blocks until then.
    func stop() {
        post { $0.isStopping = true }
        ended.wait()
    }

    /// Answers an order that made no request.
    func refuse(_ id: SendID, _ error: HubError) {
        let failure = HTTPTransportError(.invalidRequest, error.description, mayHaveBeenReceived: false)
        receive([HTTPExchangeResult(id: id.number, result: .failure(failure))])
    }

    private func post(_ change: (inout Inbox) -> Void) {
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
    /// - Parameter state: What the thread owns.
    func run(_ state: consuming PublishingState) {
        var state = state
        var isRunning = true
        while isRunning {
            wait(until: state.nextTimer)
            let batch = inbox.withLock { inbox in
                defer { inbox = Inbox() }
                return inbox
            }
            isRunning = !batch.isStopping
            turn(&state, batch)
        }
        ended.signal()
    }

    /// Sleeps until something comes or falls due; at most a second, so that health shows a thread that lives.
    private func wait(until due: Timestamp?) {
        let longest = Duration.seconds(1)
        let pause = due.map { min(longest, $0 - Timestamp.now()) } ?? longest
        guard pause > .zero else { return }
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(pause.wholeNanoseconds)))
    }

    private func turn(_ state: inout PublishingState, _ batch: Inbox) {
        let now = Timestamp.now()
        if !batch.lost.isEmpty { state.leave(batch.lost) }
        state.core.assign(batch.assigned)
        if !batch.messages.isEmpty { state.take(batch.messages, now: now) }
        if !batch.replies.isEmpty { state.core.sendsEnded(batch.replies, now: now) }
        if !batch.reports.isEmpty { state.takeReports(batch.reports, now: now) }
        for commit in batch.commits {
            state.core.commitEnded(commit.partitions, succeeded: commit.succeeded, now: now)
        }
        for drain in batch.drains { state.begin(drain, now: now) }
        state.core.timePassed(now: now)
        state.perform(receiver: self)
        state.answerDrains(now: Timestamp.now())
        state.perform(receiver: self)
        let hasMoved = !batch.assigned.isEmpty || !batch.lost.isEmpty || !batch.drains.isEmpty
        state.publishStatus(now: now, atOnce: hasMoved)
    }
}

extension PublishingLoop: HTTPResultReceiver {
    func receive(_ results: [HTTPExchangeResult]) {
        let now = Timestamp.now()
        let replies = results.map { SendResult(id: SendID($0.id), reply: HubClient.reply(to: $0.result, now: now)) }
        post { $0.replies += replies }
    }
}
