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
    /// One thing that came.
    private enum Arrival {
        case assigned([SourcePartition])
        case messages([KafkaMessage])
        case lost([SourcePartition])
        case drain(Drain)
        case replies([SendResult])
        case reports([KafkaDeliveryReport])
        case commit([SourcePartition], succeeded: Bool)

        /// Whether health looks different at once.
        var movesPartitions: Bool {
            switch self {
            case .assigned, .lost, .drain: true
            case .messages, .replies, .reports, .commit: false
            }
        }
    }

    /// What came since the last turn, in order: a partition's messages must not change places with its leaving.
    private struct Inbox {
        var arrivals: [Arrival] = []
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
        post(.assigned(partitions))
    }

    func take(_ messages: [KafkaMessage]) {
        post(.messages(messages))
    }

    func takeReports(_ reports: [KafkaDeliveryReport]) {
        post(.reports(reports))
    }

    func commitEnded(_ partitions: [SourcePartition], succeeded: Bool) {
        post(.commit(partitions, succeeded: succeeded))
    }

    /// Takes partitions away at once, whatever of them is in flight.
    func lose(_ partitions: [SourcePartition]) {
        post(.lost(partitions))
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
        let drain = Drain(partitions: partitions, deadline: Timestamp.now() + limit)
        post(.drain(drain))
        // The loop answers at the deadline at the latest; a little more, so that it is the loop that decides.
        let patience = DispatchTime.now() + .nanoseconds(Int((limit + .seconds(1)).wholeNanoseconds))
        if drain.answered.wait(timeout: patience) == .timedOut {
            // The loop is stuck. When it turns again the partitions are gone, or ours anew: the question is void.
            lose(partitions)
        }
        return drain.offsets.withLock { $0 }
    }

    /// Ends the thread after the turn it is in; blocks until then.
    func stop() {
        change { $0.isStopping = true }
        ended.wait()
    }

    /// Answers an order that made no request.
    func refuse(_ id: SendID, _ error: HubError) {
        let failure = HTTPTransportError(.invalidRequest, error.description, mayHaveBeenReceived: false)
        receive([HTTPExchangeResult(id: id.number, result: .failure(failure))])
    }

    private func post(_ arrival: sending Arrival) {
        change { $0.arrivals.append(arrival) }
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
            turn(&state, batch.arrivals)
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

    private func turn(_ state: inout PublishingState, _ arrivals: [Arrival]) {
        let now = Timestamp.now()
        for arrival in arrivals { take(arrival, into: &state, now: now) }
        state.core.timePassed(now: now)
        state.perform(receiver: self)
        state.answerDrains(now: Timestamp.now())
        state.perform(receiver: self)
        state.publishStatus(now: now, atOnce: arrivals.contains(where: \.movesPartitions))
    }

    private func take(_ arrival: Arrival, into state: inout PublishingState, now: Timestamp) {
        switch arrival {
        case .assigned(let partitions): state.core.assign(partitions)
        case .messages(let messages): state.take(messages, now: now)
        case .lost(let partitions): state.leave(partitions)
        case .drain(let drain): state.begin(drain, now: now)
        case .replies(let replies): state.core.sendsEnded(replies, now: now)
        case .reports(let reports): state.takeReports(reports, now: now)
        case .commit(let partitions, let succeeded):
            state.core.commitEnded(partitions, succeeded: succeeded, now: now)
        }
    }
}

extension PublishingLoop: HTTPResultReceiver {
    func receive(_ results: [HTTPExchangeResult]) {
        let now = Timestamp.now()
        let replies = results.map { SendResult(id: SendID($0.id), reply: HubClient.reply(to: $0.result, now: now)) }
        post(.replies(replies))
    }
}
