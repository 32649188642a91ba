/// One line that librdkafka would have printed.
public struct KafkaLogLine: Sendable, Hashable {
    /// The severities of syslog, as librdkafka uses them.
    public enum Level: Int32, Sendable, Hashable, Comparable {
        /// The client is unusable, such as after a fatal error.
        case emergency = 0
        /// Must be acted on at once.
        case alert = 1
        /// Critical.
        case critical = 2
        /// Something failed.
        case error = 3
        /// Something looks wrong, such as an unusual configuration.
        case warning = 4
        /// Normal but notable.
        case notice = 5
        /// Of interest.
        case info = 6
        /// For the developers of librdkafka; see its `debug` property.
        case debug = 7

        /// Orders by urgency, the most urgent first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How bad it is.
    public var level: Level
    /// The short word librdkafka uses for the kind of line, such as `FAIL`.
    public var facility: String
    /// The text.
    public var message: String

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - level: How bad it is.
    ///   - facility: The short word for the kind of line.
    ///   - message: The text.
    public init(level: Level, facility: String, message: String) {
        self.level = level
        self.facility = facility
        self.message = message
    }
}
