import NewsflashBasics
package import NewsflashKafka
package import NewsflashObservability

/// Logs reports of the Kafka clients, and each broker failure only once for all clients; see ``BrokerFailures``.
package final class KafkaFaultLog: Sendable {
    private let failures = Locked(BrokerFailures())
    private let logger: Logger

    /// Makes a log without failures.
    package init(_ logger: Logger) { self.logger = logger }

    /// Logs a line of librdkafka at its own level.
    package func log(_ line: KafkaLogLine) {
        let level: LogLevel =
            switch line.level {
            case .emergency, .alert, .critical: .critical
            case .error: .error
            case .warning: .warning
            case .notice, .info: .info
            case .debug: .debug
            }
        let decision = level >= .warning ? decide(line.message) : .log(repeats: 0)
        log("librdkafka", line.message, level: level, decision, metadata: ["facility": .string(line.facility)])
    }

    /// Logs an error that a client reports.
    ///
    /// - Parameters:
    ///   - message: The client that reports it; a constant.
    ///   - error: The error.
    ///   - text: Text to log instead of the error's description.
    ///   - level: The log level.
    func log(_ message: String, _ error: KafkaError, _ text: String? = nil, level: LogLevel = .warning) {
        let text = text ?? error.description
        log(message, text, level: level, decide(text, meansAllDown: error.code == .allBrokersDown))
    }

    private func decide(_ text: String, meansAllDown: Bool = false) -> BrokerFailures.Decision {
        failures.withLock { $0.decide(text, meansAllDown: meansAllDown, at: .now) }
    }

    private func log(
        _ message: String,
        _ text: String,
        level: LogLevel,
        _ decision: BrokerFailures.Decision,
        metadata: LogMetadata = [:]
    ) {
        guard case .log(let repeats) = decision else { return }
        var metadata = metadata
        metadata[LogKey.detail] = .string(text)
        if repeats > 0 { metadata["repeats"] = LogValue(repeats) }
        logger.log(level: level, message, metadata: metadata)
    }

    /// Logs how often failures that are over were reported; called regularly.
    func timePassed() {
        for (cause, repeats) in failures.withLock({ $0.removeExpired(at: .now) }) {
            logger.info(
                "a broker failure has not been reported again for half a minute",
                metadata: [
                    "broker": .string(cause.broker), LogKey.detail: .string(cause.text), "repeats": LogValue(repeats),
                ]
            )
        }
    }
}

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
