import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Printed success of `reload` and `log-level`: the order is in the topic, and the number of workers is printed.
@Suite(.timeLimit(.minutes(4)))
struct GivenOrderTests {
    private static func level(_ level: String, seconds: Int64 = 60) -> ControlOrder {
        let now = Timestamp(seconds: 1_772_438_400)
        let until = now + .seconds(seconds)
        return .logLevel(LogLevelOrder(level: level, until: until, by: "ops:kim", reason: "a look", at: now))
    }

    private static func reload(_ reason: String) -> ControlOrder {
        .reload(ReloadOrder(announced: [.words, .lost], by: "ed:novak", reason: reason, at: .now()))
    }

    @Test func `an order that is not in the topic has no effect`() {
        let orders = [Self.reload("first"), Self.level("debug")]
        for order in orders {
            #expect(order.problem(among: [order], in: "control") == nil)
            #expect(
                order.problem(among: [], in: "control") == "the order was written, but is not in control: give it again"
            )
        }
        #expect(Self.level("info").problem(among: [Self.level("debug")], in: "control") != nil)
    }

    @Test func `a later order replaces one for the log level, and not one to reload`() {
        let (order, later) = (Self.level("debug"), Self.level("error", seconds: 1))
        let words = "a later order by ops:kim replaces this one: level error until 2026-03-02T08:00:01.000Z"
        #expect(order.problem(among: [order, later], in: "control") == words)
        #expect(later.problem(among: [order, later], in: "control") == nil)
        let reload = Self.reload("first")
        #expect(reload.problem(among: [reload, Self.reload("second")], in: "control") == nil)
    }

    private func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([TestProgram.path()] + words, environment: TestProgram.environment)
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }

    @Test(.enabled(if: KafkaTestCluster.isReal, "counts the members of the group"))
    func `the commands print how many workers obey`() async throws {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            let reload = ["reload", "--config", newsroom.file, "--untested"]
            let level = ["log-level", "debug", "--for", "1s", "--config", newsroom.file]
            let group = newsroom.group
            for (words, ending) in [
                (reload, "one that starts reads the present configuration anyway"),
                (level, "those that start log at level debug until "),
            ] {
                let none = try await run(words)
                #expect(none.code == 0, "\(none.lines)")
                #expect(
                    none.lines.last?.hasPrefix("no worker of group \(group) runs now: \(ending)") == true,
                    "\(none.lines)"
                )
            }
            let worker = try await newsroom.startWorker(until: "a partition was restored")
            for (words, ending) in [(reload, "reloads its configuration; "), (level, "logs at level debug until ")] {
                let one = try await run(words)
                #expect(one.code == 0, "\(one.lines)")
                #expect(one.lines.last?.hasPrefix("1 worker of group \(group) \(ending)") == true, "\(one.lines)")
            }
            worker.signal(SIGTERM)
            #expect(try await worker.waitForEnd() == 0)
        }
    }
}
