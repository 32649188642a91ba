import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LoggerTests {
    private let handler = EventLog<LogEntry>()
    private let instant = Timestamp(seconds: 1_772_440_800)

    private func logger(level: LogLevel = .trace) -> Logger {
        Logger(label: "test", level: level, handler: handler) { [instant] in instant }
    }

    @Test func `each method logs at its own level`() {
        let logger = logger()
        logger.trace("m")
        logger.debug("m")
        logger.info("m")
        logger.notice("m")
        logger.warning("m")
        logger.error("m")
        logger.critical("m")
        #expect(handler.events.map(\.level) == LogLevel.allCases)
    }

    @Test func `levels are ordered like their cases`() {
        #expect(LogLevel.allCases.reversed().sorted() == LogLevel.allCases)
        #expect(LogLevel.info < .notice)
    }

    @Test(arguments: LogLevel.allCases)
    func `a logger logs its level and above`(level: LogLevel) {
        var logger = logger()
        logger.logLevel = level
        for each in LogLevel.allCases { logger.log(level: each, "m") }
        #expect(handler.events.map(\.level) == LogLevel.allCases.filter { $0 >= level })
    }

    @Test(arguments: LogLevel.allCases)
    func `a level that is set from outside applies to all copies, except those with their own`(level: LogLevel) {
        let logger = logger()
        var copy = logger
        copy[metadataKey: "part"] = "copy"
        var own = logger
        own.logLevel = .critical
        logger.threshold.level = level
        #expect(copy.logLevel == level)
        for each in LogLevel.allCases {
            copy.log(level: each, "copy")
            own.log(level: each, "own")
        }
        func levels(of message: String) -> [LogLevel] {
            handler.events.filter { $0.message == message }.map(\.level)
        }
        #expect(levels(of: "copy") == LogLevel.allCases.filter { $0 >= level })
        #expect(levels(of: "own") == [.critical])
    }

    @Test func `neither message nor metadata is evaluated below the level`() {
        var evaluated = 0
        func count() -> String {
            evaluated += 1
            return "m"
        }
        let logger = logger(level: .warning)
        logger.info(count(), metadata: ["key": .string(count())])
        #expect(evaluated == 0)
        logger.warning(count(), metadata: ["key": .string(count())])
        #expect(evaluated == 2)
    }

    @Test func `time, label, message and metadata are passed on`() {
        logger().info("Accepted.", metadata: ["kafka.topic": "news", "kafka.offset": 42])
        let expected = LogEntry(
            time: instant,
            level: .info,
            label: "test",
            message: "Accepted.",
            metadata: ["kafka.topic": .string("news"), "kafka.offset": .integer(42)]
        )
        #expect(handler.events == [expected])
    }

    @Test func `metadata has the semantics of a value`() {
        let first = logger()
        var second = first
        second[metadataKey: "kafka.partition"] = 3
        first.info("m")
        second.info("m")
        second[metadataKey: "kafka.partition"] = nil
        second.info("m")
        #expect(handler.events.map(\.metadata) == [[:], ["kafka.partition": 3], [:]])
    }

    @Test func `metadata of the call wins over the logger's`() {
        var logger = logger()
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("m", metadata: ["b": "call"])
        #expect(handler.events.map(\.metadata) == [["a": "logger", "b": "call"]])
    }

    @Test func `values are made from literals and from values with a description`() {
        let values: [LogValue] = ["a", "\(1)-\(2)", 7, 1.5, true, LogValue(UInt64.max), LogValue(describing: 3)]
        let expected: [LogValue] = [
            .string("a"), .string("1-2"), .integer(7), .double(1.5), .boolean(true), .integer(.max), .string("3"),
        ]
        #expect(values == expected)
    }
}
