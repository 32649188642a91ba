import NewsflashTopicPartitions

/// A message with a position in a partition.
protocol PlacedMessage: Sendable {
    var topicPartition: TopicPartition { get }
    var offset: Int64 { get }
}

extension KafkaMessage: PlacedMessage {}

/// Messages between the consumer and the reading loops (readers): each goes to one reader, in order, and none of a revoked
/// partition.
struct MessageQueue<Message: PlacedMessage>: Sendable {
    /// The result for a reader.
    enum Step: Sendable {
        case message(Message)
        /// Reading has ended.
        case end
        /// Reading cannot continue; returned to one reader.
        case failed(KafkaError)
    }

    private enum End {
        case closed
        case failed(KafkaError)
    }

    /// `nil` after a message was handed out, so that it is not kept in memory here.
    private var messages: [Message?] = []
    private var first = 0
    /// The waiting readers, in order.
    private var waiting: [UInt64] = []
    /// The partition of the message that each reader is processing.
    private var holders: [UInt64: TopicPartition] = [:]
    private var end: End?

    /// Returns the next message for a reader, which has finished its previous one.
    ///
    /// - Parameter reader: The reader's number.
    /// - Returns: `nil` if it has to wait.
    mutating func next(_ reader: UInt64) -> Step? {
        holders[reader] = nil
        switch end {
        case .closed: return .end
        case .failed(let error):
            end = .closed
            return .failed(error)
        case nil: break
        }
        guard let message = popFirst() else {
            waiting.append(reader)
            return nil
        }
        holders[reader] = message.topicPartition
        return .message(message)
    }

    private mutating func popFirst() -> Message? {
        guard first < messages.count else { return nil }
        let message = messages[first].take()
        first += 1
        if first == messages.count || first >= 4096 {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    /// Removes a reader that has ended or stopped waiting.
    ///
    /// - Parameter reader: The reader's number.
    /// - Returns: Whether it waited.
    @discardableResult
    mutating func leave(_ reader: UInt64) -> Bool {
        holders[reader] = nil
        guard let index = waiting.firstIndex(of: reader) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Adds messages.
    ///
    /// - Parameter added: The messages, in order within each partition.
    /// - Returns: The messages for readers that were waiting.
    mutating func add(_ added: [Message]) -> [(reader: UInt64, message: Message)] {
        if end != nil { return [] }
        messages += added.map(Optional.some)
        var handed: [(reader: UInt64, message: Message)] = []
        while !waiting.isEmpty, first < messages.count {
            let reader = waiting.removeFirst()
            if case .message(let message) = next(reader) { handed.append((reader, message)) }
        }
        return handed
    }

    /// Discards the remaining messages of some partitions.
    mutating func stop(_ partitions: [TopicPartition]) {
        let gone = Set(partitions)
        messages = messages[first...].filter { message in message.map { !gone.contains($0.topicPartition) } ?? false }
        first = 0
    }

    /// Whether a reader is processing a message of a partition.
    func isHeld(_ partition: TopicPartition) -> Bool { holders.values.contains(partition) }

    /// Ends reading.
    ///
    /// - Parameter error: Why reading cannot continue; returned to one reader. `nil` for a normal end.
    /// - Returns: The results for readers that were waiting.
    mutating func finish(_ error: KafkaError? = nil) -> [(reader: UInt64, step: Step)] {
        if end != nil { return [] }
        end = error.map { .failed($0) } ?? .closed
        messages = []
        first = 0
        defer { waiting = [] }
        return waiting.compactMap { reader in next(reader).map { (reader, $0) } }
    }
}
