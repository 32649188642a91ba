package import Kafka
package import StructuredLog

extension KafkaConfiguration {
    /// The same with librdkafka's lines going to our log.
    ///
    /// - Parameter logger: Takes them at their own levels.
    /// - Returns: For any client.
    package func logging(to logger: Logger) -> KafkaConfiguration { logging(to: KafkaFaultLog(logger)) }

    /// The same with librdkafka's lines going to a log of several clients.
    package func logging(to faultLog: KafkaFaultLog) -> KafkaConfiguration {
        var configuration = self
        configuration.log = { faultLog.log($0) }
        return configuration
    }
}
