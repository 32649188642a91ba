package import Kafka
package import Publishing

extension KafkaRecord {
    /// A command to pause or resume a source, as a record for the control topic.
    ///
    /// - Parameters:
    ///   - order: The command.
    ///   - topic: The control topic.
    package init(_ order: ControlRecord, topic: String) {
        self.init(.source(order), topic: topic)
    }

    /// A command as a record for the control topic.
    ///
    /// - Parameters:
    ///   - order: The command.
    ///   - topic: The control topic.
    package init(_ order: ControlOrder, topic: String) {
        self.init(
            topic: topic,
            partition: 0,
            key: order.key.map { Array($0.utf8) },
            value: ControlOrderCodec.encode(order)
        )
    }
}
