package import Kafka
package import Publishing

extension KafkaRecord {
    /// An order to hold or release a source, for the control topic.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - topic: The control topic.
    package init(_ order: ControlRecord, topic: String) {
        self.init(.source(order), topic: topic)
    }

    /// An order for the control topic.
    ///
    /// - Parameters:
    ///   - order: The order.
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
