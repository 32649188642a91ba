import NewsflashObservability
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Logged lines are written however the process ends.
@Suite(.timeLimit(.minutes(1)))
struct ProcessEndTests {
    @Test func `a process that exits writes all its log lines`() async throws {
        let result = try await #require(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            let logger = Logger(label: "test", handler: TextLogHandler())
            for number in 0..<5000 { logger.info("m", metadata: ["number": LogValue(number)]) }
            exit(3)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains(" info  m  number=") } == 5000)
    }

    @Test func `flushed lines survive an abrupt end`() async throws {
        let result = try await #require(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            let logger = Logger(label: "test", handler: JSONLogHandler())
            logger.critical("the group has not answered")
            logger.flush(within: .seconds(10))
            _exit(70)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains(#""level":"critical","label":"test","message":"the group has not answered""#))
    }
}
