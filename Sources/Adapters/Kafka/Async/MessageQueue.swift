/// What has a place in a partition.
protocol PlacedMessage: Sendable {
    var topicPartition: KafkaTopicPartition { get }
    var offset: Int64 { get }
}

extension KafkaMessage: PlacedMessage {}

/// Messages on their way from the consumer to those who read: each goes to one reader, in order, and none of a partition that
/// leaves.
struct MessageQueue<Message: PlacedMessage>: Sendable {
    /// What a reader gets.
    enum Step: Sendable {
        case message(Message)
        /// The reading is over.
        case end
        /// The reading cannot go on; told to one reader.
        case failed(KafkaError)
    }

    private enum End {
        case closed
        case failed(KafkaError)
    }

    /// Nil where it was handed out, so that nothing here keeps it in memory.
    private var messages: [Message?] = []
    private var first = 0
    /// Readers that wait, in order.
    private var waiting: [UInt64] = []
    /// The message each reader has and did not yet come back from.
    private var holders: [UInt64: KafkaTopicPartition] = [:]
    private var end: End?

    /// A reader comes, and is through with the message that it had.
    ///
    /// - Parameter reader: Its number.
    /// - Returns: Nothing where it has to wait.
    mutating func next(_ reader: UInt64) -> Step? {
        holders[reader] = nil
        switch end {
        case .closed: return .end
        case .failed(let error):
            end = .closed
            return .failed(error)
        case nil: break
        }
        guard let message = take() else {
            waiting.append(reader)
            return nil
        }
        holders[reader] = message.topicPartition
        return .message(message)
    }

    private mutating func take() -> Message? {
        guard first < messages.count else { return nil }
        let message = messages[first].take()
        first += 1
        if first == messages.count || first >= 4096 {
            messages.removeFirst(first)
            first = 0
        }
        return message
    }

    /// A reader goes, or waits no longer.
    ///
    /// - Parameter reader: Its number.
    /// - Returns: Whether it waited.
    @discardableResult
    mutating func leave(_ reader: UInt64) -> Bool {
        holders[reader] = nil
        guard let index = waiting.firstIndex(of: reader) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Takes messages.
    ///
    /// - Parameter added: In order within each partition.
    /// - Returns: What readers that waited get.
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

    /// Hands nothing more out of some partitions.
    mutating func stop(_ partitions: [KafkaTopicPartition]) {
        let gone = Set(partitions)
        messages = messages[first...].filter { message in message.map { !gone.contains($0.topicPartition) } ?? false }
        first = 0
    }

    /// Whether a reader has a message of a partition and did not yet come back from it.
    func isHeld(_ partition: KafkaTopicPartition) -> Bool { holders.values.contains(partition) }

    /// Ends the reading.
    ///
    /// - Parameter error: Why, where it cannot go on; one reader is told.
    /// - Returns: What readers that waited get.
    mutating func finish(_ error: KafkaError? = nil) -> [(reader: UInt64, step: Step)] {
        if end != nil { return [] }
        end = error.map { .failed($0) } ?? .closed
        messages = []
        first = 0
        defer { waiting = [] }
        return waiting.compactMap { reader in next(reader).map { (reader, $0) } }
    }
}
