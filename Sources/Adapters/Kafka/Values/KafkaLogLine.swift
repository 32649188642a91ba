/// One log line of librdkafka.
public struct KafkaLogLine: Sendable, Hashable {
    /// The severities of syslog, as librdkafka uses them.
    public enum Level: Int32, Sendable, Hashable, Comparable {
        /// The client is unusable, such as after a fatal error.
        case emergency = 0
        /// Immediate action is required.
        case alert = 1
        /// A critical failure.
        case critical = 2
        /// A failure.
        case error = 3
        /// A suspicious situation, such as an unusual configuration.
        case warning = 4
        /// Normal but notable.
        case notice = 5
        /// Information.
        case info = 6
        /// For the developers of librdkafka; see its `debug` property.
        case debug = 7

        /// Orders by urgency, the most urgent first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The severity.
    public var level: Level
    /// librdkafka's short word for the kind of line, such as `FAIL`.
    public var facility: String
    /// The text.
    public var message: String

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - level: The severity.
    ///   - facility: The short word for the kind of line.
    ///   - message: The text.
    public init(level: Level, facility: String, message: String) {
        self.level = level
        self.facility = facility
        self.message = message
    }
}
