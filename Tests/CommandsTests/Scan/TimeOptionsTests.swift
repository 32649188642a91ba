import NewsflashCommandLineArguments
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TimeOptionsTests {
    private let now = Timestamp(seconds: 1_772_442_000)

    private func options(since: String?, until: String? = nil) -> TimeOptions {
        var options = TimeOptions()
        options.since = since
        options.until = until
        return options
    }

    @Test func `times are durations before now, or dates`() throws {
        let range = try options(since: "2h", until: "2026-03-02T09:30:00+01:00").range(now: now)
        #expect(range.since == now - .seconds(7200))
        #expect(range.until == Timestamp(rfc3339: "2026-03-02T08:30:00Z"))
        let open = try options(since: nil).range(now: now)
        #expect(open.since == nil && open.until == nil)
        #expect(try options(since: "7d").range(now: now).since == now - .seconds(7 * 86_400))
    }

    @Test(arguments: ["yesterday", "2", "-2h", "2w", "2026-03-02"])
    func `a malformed time is refused with correct examples`(text: String) {
        let error = #expect(throws: ValidationError.self) { try options(since: text).range(now: now) }
        #expect(error?.message.contains("30m, 2h or 7d") == true)
    }

    @Test func `an end before the beginning is refused`() {
        let error = #expect(throws: ValidationError.self) { try options(since: "1h", until: "2h").range(now: now) }
        #expect(error?.message.contains("must be after '--since'") == true)
    }
}
