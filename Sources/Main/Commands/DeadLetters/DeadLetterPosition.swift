import CommandLineArguments
import Kafka

/// The position of a dead letter in its topic, such as `3@4711`.
struct DeadLetterPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    var partition: Int32
    var offset: Int64

    init(partition: Int32, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    init(_ message: KafkaMessage) {
        self.init(partition: message.topicPartition.partition, offset: message.offset)
    }

    var description: String { "\(partition)@\(offset)" }

    static func < (left: DeadLetterPosition, right: DeadLetterPosition) -> Bool {
        (left.partition, left.offset) < (right.partition, right.offset)
    }
}

extension DeadLetterPosition: ExpressibleByArgument {
    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]) else { return nil }
        guard partition >= 0, offset >= 0 else { return nil }
        self.init(partition: partition, offset: offset)
    }

    static var expectedArgument: String { "a partition and an offset, such as 3@4711" }
}
