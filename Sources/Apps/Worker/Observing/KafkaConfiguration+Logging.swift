package import Kafka
package import StructuredLog

extension KafkaConfiguration {
    /// The same configuration with librdkafka's lines going to our log.
    ///
    /// - Parameter logger: Receives the lines at their own levels.
    /// - Returns: A configuration for any client.
    package func logging(to logger: Logger) -> KafkaConfiguration { logging(to: KafkaFaultLog(logger)) }

    /// The same configuration with librdkafka's lines going to a log shared by several clients.
    package func logging(to faultLog: KafkaFaultLog) -> KafkaConfiguration {
        var configuration = self
        configuration.log = { faultLog.log($0) }
        return configuration
    }
}
