import Dispatch
import Locks

/// Reads topics as a sequence of messages, as a member of a group; what was done is committed when the caller says so.
///
/// ```swift
/// let news = try KafkaSubscription(configuration, topics: ["breaking-news.v1"])
/// for try await message in news {
///     try await handle(message)
///     news.commit(message)
/// }
/// ```
///
/// Messages come at least once. Nothing is committed that was not handed out and asked to be committed, and nothing of a
/// partition that left. When the group takes a partition away, the consumer waits for the message in hand: until the loop comes
/// for the next one, or has committed it, or ``KafkaConsumerConfiguration/revokeDeadline`` is near; then what was committed by
/// then is the group's, and the next owner goes on from there.
///
/// Reading runs ahead of the loop by ``KafkaConsumerConfiguration/readAhead`` (16 MiB where it is nil) and then stops until
/// messages are let go, while heartbeats go on. A ``KafkaMessage`` that is kept counts: keep its value in place of it.
///
/// Several loops may read one subscription; each message goes to one of them. Since ``commit(_:)-(KafkaMessage)`` means all
/// messages of the partition up to that one, loops that share a partition have to agree on what is done.
///
/// It is a member of the group until ``close(deadline:)``, or until nobody has it any more.
public final class KafkaSubscription: AsyncSequence, Sendable {
    /// The messages, as they are read.
    public typealias Element = KafkaMessage
    /// What reading ends with.
    public typealias Failure = KafkaError

    /// Whom it reads with: for its assignment, positions and signs of life.
    public let consumer: KafkaConsumer
    let feed: SubscriptionFeed

    /// Joins a group to read topics.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - topics: Names, or regular expressions that begin with `^`.
    ///   - onTrouble: Hears of what goes by itself or is being tried again, on the consumer's thread: brokers out of reach, a
    ///     topic that is not there yet.
    /// - Throws: ``KafkaError`` that names what cannot be used.
    public convenience init(
        _ configuration: KafkaConsumerConfiguration,
        topics: [String],
        onTrouble: @escaping @Sendable (KafkaError) -> Void = { _ in }
    ) throws(KafkaError) {
        try self.init(configuration, onTrouble)
        // The instance that is left behind here closes by itself.
        try consumer.subscribe(topics)
    }

    /// Reads given partitions without a group's help; commits are the group's all the same.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - offsets: Where to begin in each partition.
    ///   - onTrouble: As with topics.
    /// - Throws: ``KafkaError`` that names a property that cannot be used.
    public convenience init(
        _ configuration: KafkaConsumerConfiguration,
        from offsets: [KafkaTopicPartition: KafkaOffset],
        onTrouble: @escaping @Sendable (KafkaError) -> Void = { _ in }
    ) throws(KafkaError) {
        try self.init(configuration, onTrouble)
        consumer.assign(offsets)
    }

    private init(
        _ configuration: KafkaConsumerConfiguration,
        _ onTrouble: @escaping @Sendable (KafkaError) -> Void
    ) throws(KafkaError) {
        var bounded = configuration
        if bounded.readAhead == nil {
            bounded.readAhead = KafkaReadAhead(byteLimit: 16 << 20, bytesBesideMessage: 1024)
        }
        feed = SubscriptionFeed(isCooperative: bounded.assignmentStrategy == .cooperativeSticky, onTrouble)
        consumer = try KafkaConsumer(bounded, delegate: feed)
    }

    deinit {
        // Nobody waits: whoever wants to know when it has left calls `close`.
        Task { [consumer] in await consumer.close() }
    }

    /// Says that a message, and all of its partition before it, is done. Returns at once.
    ///
    /// The offset goes to the group with others: call it after each message without a thought of the cost. A commit that the
    /// group cannot take at the moment is tried again for as long as the partition is ours.
    ///
    /// - Parameter message: One that was handed out.
    /// - Returns: False where its partition was taken away since: the message will be done again, by its next owner or by us.
    @discardableResult
    public func commit(_ message: KafkaMessage) -> Bool {
        commit([message.topicPartition: message.offset + 1]).isEmpty
    }

    /// Says up to where partitions are done. Returns at once; see ``commit(_:)-(KafkaMessage)``.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: The partitions for which nothing is committed, since messages up to there were not handed out, or not since
    ///   the partition came.
    @discardableResult
    public func commit(_ offsets: [KafkaTopicPartition: Int64]) -> [KafkaTopicPartition] {
        feed.commit(offsets, consumer)
    }

    /// Waits until the group has confirmed all that was committed so far.
    ///
    /// A task that is cancelled waits no longer; the commits go on.
    ///
    /// - Throws: ``KafkaError`` with ``KafkaError/Code/notAssigned`` where a partition left first, with
    ///   ``KafkaError/Code/cancelled`` or ``KafkaError/Code/closed``, or the group's refusal.
    public func flushCommits() async throws(KafkaError) {
        if let error = await feed.flushCommits() { throw error }
    }

    /// Leaves the group: the sequence ends, the messages in hand are waited for, what was committed by then is confirmed.
    ///
    /// Called from within the loop, commit the message in hand before, or it waits for itself until
    /// ``KafkaConsumerConfiguration/revokeDeadline``.
    ///
    /// - Parameter deadline: How long it may take.
    /// - Returns: Whether it closed in time; see ``KafkaConsumer/close(deadline:)``.
    @discardableResult
    public func close(deadline: Duration = .seconds(30)) async -> Bool {
        feed.finish()
        let isClosed = await consumer.close(deadline: deadline)
        feed.closed()
        return isClosed
    }

    /// Reads topics for as long as a closure runs, and closes in every case.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - topics: Names, or regular expressions that begin with `^`.
    ///   - body: Reads and commits.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure threw, or ``KafkaError`` that names what cannot be used.
    public static func with<Result>(
        _ configuration: KafkaConsumerConfiguration,
        topics: [String],
        _ body: (KafkaSubscription) async throws -> Result
    ) async throws -> Result {
        let subscription = try KafkaSubscription(configuration, topics: topics)
        do {
            let result = try await body(subscription)
            await subscription.close()
            return result
        } catch {
            await subscription.close()
            throw error
        }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(Iterator.Reader(self)) }

    /// Gives one message after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// Who reads; while it lives it may have a message in hand.
        final class Reader: Sendable {
            let subscription: KafkaSubscription
            let number: UInt64

            init(_ subscription: KafkaSubscription) {
                self.subscription = subscription
                number = subscription.feed.makeReader()
            }

            deinit {
                subscription.feed.leave(number)
            }
        }

        private let reader: Reader

        init(_ reader: Reader) {
            self.reader = reader
        }

        /// The next message; says that the one before it is no longer in hand.
        ///
        /// - Parameter actor: Where the caller runs.
        /// - Returns: Nothing once the subscription is closed, or the task was cancelled, which leaves the subscription as it is.
        /// - Throws: ``KafkaError`` where reading cannot go on by itself: a right is missing, there is no offset to begin at,
        ///   another member has our name. It is thrown once, then the sequence is over.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(KafkaError) -> KafkaMessage? {
            switch await reader.subscription.feed.next(reader.number) {
            case .message(let message): return message
            case .end: return nil
            case .failed(let error): throw error
            }
        }
    }
}
