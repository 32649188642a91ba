import Dispatch
import NewsflashBasics
public import NewsflashTopicPartitions

/// Reads topics as a sequence of messages, as a member of a group, and commits messages when the caller requests it.
///
/// ```swift
/// let news = try KafkaSubscription(configuration, topics: ["breaking-news.v1"])
/// for try await message in news {
///     try await handle(message)
///     news.commit(message)
/// }
/// ```
///
/// Messages come at least once. Only messages that were handed out and requested are committed, and none of a revoked
/// partition. When the group revokes a partition, the consumer waits for the current message: until the loop requests the next
/// one, or has committed it, or ``KafkaConsumerConfiguration/revokeDeadline`` is near. Then it commits the offsets requested so
/// far, and the next owner continues from there.
///
/// Reading runs ahead of the loop by ``KafkaConsumerConfiguration/readAhead`` (16 MiB if it is `nil`) and then pauses until
/// messages are released, while heartbeats continue. A retained ``KafkaMessage`` counts: keep its value instead.
///
/// Several loops may read one subscription; each message goes to one of them. Because ``commit(_:)-(KafkaMessage)`` commits all
/// messages of the partition up to that one, loops that share a partition must coordinate their commits.
///
/// It is a member of the group until ``close(deadline:)``, or until its last reference is released.
public final class KafkaSubscription: AsyncSequence, Sendable {
    /// The messages, as they are read.
    public typealias Element = KafkaMessage
    /// The error that reading may end with.
    public typealias Failure = KafkaError

    /// The consumer that it reads with; use it for the assignment, positions and signs of life.
    public let consumer: KafkaConsumer
    let feed: SubscriptionFeed

    /// Joins a group to read topics.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - topics: Names, or regular expressions that begin with `^`.
    ///   - onTrouble: Receives errors that resolve themselves or are retried, on the consumer's thread: unreachable brokers, a
    ///     topic that does not exist yet.
    /// - Throws: ``KafkaError`` with the name of a property or topic that cannot be used.
    public convenience init(
        _ configuration: KafkaConsumerConfiguration,
        topics: [String],
        onTrouble: @escaping @Sendable (KafkaError) -> Void = { _ in }
    ) throws(KafkaError) {
        try self.init(configuration, onTrouble)
        // If this throws, the instance closes itself when it is released.
        try consumer.subscribe(topics)
    }

    /// Reads the specified partitions without a group; commits still go to the group.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - offsets: The start in each partition.
    ///   - onTrouble: Receives errors that resolve themselves or are retried, on the consumer's thread.
    /// - Throws: ``KafkaError`` with the name of a property that cannot be used.
    public convenience init(
        _ configuration: KafkaConsumerConfiguration,
        from offsets: [TopicPartition: KafkaOffset],
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
        // Nobody waits for this: callers that need to know when it has left call `close`.
        Task { [consumer] in await consumer.close() }
    }

    /// Commits a message and all before it in its partition. Returns at once.
    ///
    /// The offset is sent together with others, so a call after each message is cheap. A commit that the group cannot accept at
    /// the moment is retried for as long as the partition is ours.
    ///
    /// - Parameter message: A message that was handed out.
    /// - Returns: False if its partition was revoked meanwhile: its next owner, or we, will process the message again.
    @discardableResult
    public func commit(_ message: KafkaMessage) -> Bool {
        commit([message.topicPartition: message.offset + 1]).isEmpty
    }

    /// Commits the offsets of partitions. Returns at once; see ``commit(_:)-(KafkaMessage)``.
    ///
    /// - Parameter offsets: The next offset to read, for each partition.
    /// - Returns: The partitions for which nothing is committed, because messages up to there were not handed out since the
    ///   partition was assigned.
    @discardableResult
    public func commit(_ offsets: [TopicPartition: Int64]) -> [TopicPartition] {
        feed.commit(offsets, consumer)
    }

    /// Waits until the group has confirmed all commits so far.
    ///
    /// A cancelled task stops waiting; the commits continue.
    ///
    /// - Throws: ``KafkaError`` with ``KafkaError/Code/notAssigned`` if a partition was revoked before, with
    /// ``KafkaError/Code/cancelled`` or ``KafkaError/Code/closed``, or the group's refusal.
    public func flushCommits() async throws(KafkaError) {
        if let error = await feed.flushCommits() { throw error }
    }

    /// Leaves the group: the sequence ends, the current messages are waited for, and the commits requested by then are
    /// confirmed.
    ///
    /// If you call it within the loop, commit the current message first; otherwise it waits for itself until
    /// ``KafkaConsumerConfiguration/revokeDeadline``.
    ///
    /// - Parameter deadline: The maximum duration.
    /// - Returns: Whether it closed in time; see ``KafkaConsumer/close(deadline:)``.
    @discardableResult
    public func close(deadline: Duration = .seconds(30)) async -> Bool {
        feed.finish()
        let isClosed = await consumer.close(deadline: deadline)
        feed.closed()
        return isClosed
    }

    /// Reads topics while a closure runs, and closes in every case.
    ///
    /// - Parameters:
    ///   - configuration: How to read.
    ///   - topics: Names, or regular expressions that begin with `^`.
    ///   - body: Reads and commits.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or ``KafkaError`` with the name of a property or topic that cannot be used.
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

    /// Returns one message after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// Identifies a reading loop; while it exists, the loop may be processing a message.
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

        /// Returns the next message, and records that the one before it is finished.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: `nil` after the subscription was closed, or if the task was cancelled, which does not change the
        ///   subscription.
        /// - Throws: ``KafkaError`` if the problem cannot resolve itself: a right is missing, no start offset exists, another
        ///   member has the same `group.instance.id`. It is thrown once, then the sequence ends.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(KafkaError) -> KafkaMessage? {
            switch await reader.subscription.feed.next(reader.number) {
            case .message(let message): return message
            case .end: return nil
            case .failed(let error): throw error
            }
        }
    }
}
