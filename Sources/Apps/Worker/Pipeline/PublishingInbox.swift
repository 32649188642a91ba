import Dispatch
import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NotificationHubs

/// The inputs of the publishing thread.
///
/// Other threads put batches into it and return: records of the consumer and the ledger, responses of hubs, delivery reports.
final class PublishingInbox: Sendable {
    /// An input of the publishing thread.
    enum Arrival {
        case assigned([TopicPartition])
        case records([DecodedRecord])
        /// Records ahead of the position of the consumer.
        case ahead([IncomingAhead])
        /// Partitions that others may own already.
        case lost([TopicPartition])
        case drain(Drain)
        /// Delivery reports of produced records.
        case delivered([KafkaDeliveryReport])
        case commit([TopicPartition], succeeded: Bool)
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
    struct Batch {
        var arrivals: [Arrival] = []
        /// Hub responses, kept separately because they are handled first.
        var answers: [[SendResult]] = []
        var isStopping = false
        /// Whether the thread was signalled and has not emptied the inbox yet.
        fileprivate var isSignalled = false
    }

    /// A request of the consumer's thread, which waits for the response.
    final class Drain: Sendable {
        let partitions: [TopicPartition]
        let deadline: Instant
        let answered = DispatchSemaphore(value: 0)
        let offsets = Locked<[TopicPartition: Int64]>([:])

        init(partitions: [TopicPartition], deadline: Instant) {
            self.partitions = partitions
            self.deadline = deadline
        }
    }

    private let contents = Locked(Batch())
    private let signal = DispatchSemaphore(value: 0)

    // MARK: For other threads

    func post(_ arrival: sending Arrival) {
        change { $0.arrivals.append(arrival) }
    }

    /// Drains partitions and returns the offsets to commit.
    ///
    /// Blocks until everything is confirmed or the deadline has passed: only for the consumer's thread.
    ///
    /// - Parameters:
    ///   - partitions: The revoked partitions.
    ///   - limit: The time limit.
    /// - Returns: The next offset to read, for each partition with processed records.
    func drain(_ partitions: [TopicPartition], within limit: Duration) -> [TopicPartition: Int64] {
        let drain = Drain(partitions: partitions, deadline: .now + limit)
        post(.drain(drain))
        // The publishing thread responds at the deadline at the latest. A little more time here lets it decide.
        let patience = DispatchTime.now() + .nanoseconds(Int((limit + .seconds(1)).wholeNanoseconds))
        if drain.answered.wait(timeout: patience) == .timedOut {
            // The thread is stuck. When it runs again, the partitions are gone or newly assigned, and the request is obsolete.
            post(.lost(partitions))
        }
        return drain.offsets.withLock { $0 }
    }

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

    /// Fails a send request for which no HTTP request could be made.
    func refuse(_ id: SendID, _ error: HubError) {
        let failure = HTTPTransportError(.invalidRequest, error.description, mayHaveBeenReceived: false)
        receive([HTTPExchangeResult(id: id.number, result: .failure(failure))])
    }

    /// Asks the publishing thread to end.
    func stop() {
        change { $0.isStopping = true }
    }

    private func change(_ change: (inout Batch) -> Void) {
        let wake = contents.withLock { contents in
            change(&contents)
            defer { contents.isSignalled = true }
            return !contents.isSignalled
        }
        if wake { signal.signal() }
    }

    // MARK: For the publishing thread

    /// Whether there are inputs.
    var hasInput: Bool { contents.withLock { $0.isSignalled } }

    /// Waits for an input.
    func wait(within limit: Duration) {
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(limit.wholeNanoseconds)))
    }

    /// Empties the inbox.
    func dequeue() -> Batch {
        contents.withLock { contents in
            defer { contents = Batch() }
            return contents
        }
    }

    /// Dequeues the responses that came since this turn began; none if partitions are revoked in the next turn, because nothing
    /// may be sent for these.
    func dequeueAnswers() -> [[SendResult]] {
        contents.withLock { contents in
            guard !contents.arrivals.contains(where: \.movesPartitions) else { return [] }
            defer { contents.answers = [] }
            return contents.answers
        }
    }
}

/// A record that another writer put into the ledger of one of our partitions.
struct LedgerOverwrite: Sendable {
    var source: TopicPartition
    /// `nil` for an owner record.
    var record: LateRecord?
}

/// Receives the results of the requests to one hub: counts them and passes them to the publishing thread.
final class HubReplies: HTTPResultReceiver {
    private let inbox: PublishingInbox
    private let metrics: HubMetrics

    init(_ inbox: PublishingInbox, _ metrics: HubMetrics) {
        self.inbox = inbox
        self.metrics = metrics
    }

    func receive(_ results: [HTTPExchangeResult]) {
        // On the transport's thread, because the publishing thread is busier.
        inbox.receive(results) { reply, took in metrics.ended(reply.verdict, took: took) }
    }
}
