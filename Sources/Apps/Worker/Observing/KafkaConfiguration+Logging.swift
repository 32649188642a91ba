package import Kafka
package import StructuredLog

extension KafkaConfiguration {
    /// The same with librdkafka's lines going to our log.
    ///
    /// - Parameter logger: Takes them at their own levels.
    /// - Returns: For any client.
    package func logging(to logger: Logger) -> KafkaConfiguration {
        var configuration = self
        configuration.log = { line in
            let level: LogLevel =
                switch line.level {
                case .emergency, .alert, .critical: .critical
                case .error: .error
                case .warning: .warning
                case .notice, .info: .info
                case .debug: .debug
                }
            logger.log(
                level: level,
                "librdkafka",
                metadata: ["facility": .string(line.facility), LogKey.detail: .string(line.message)]
            )
        }
        return configuration
    }
}
