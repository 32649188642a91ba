import CommandLineArguments
import Testing

@testable import Commands
@testable import Operations

@Suite(.timeLimit(.minutes(1)))
struct CheckFactTests {
    private let fine = CheckFact.ok(.topic, "news", "6 partitions")
    private let advice = CheckFact.advice(.clock, "", .clockSkew, "is slow")
    private let refused = CheckFact.problem(.refused, .hub, "main", .keyRefused, "no")
    private let away = CheckFact.problem(.unreachable, .kafka, "a:9092", .portClosed, "away")
    private let wrong = CheckFact.problem(.configuration, .configuration, "news.yaml:3", .invalid, "mend it")

    @Test func `each fact is one line whose first word is its status`() {
        #expect(fine.line(.plain) == "ok       topic news: 6 partitions")
        #expect(advice.line(.plain) == "advice   clock: is slow")
        #expect(refused.line(.plain) == "problem  hub main: no")
    }

    @Test func `the JSON form has each fact as an object with a label`() {
        #expect(
            String(decoding: refused.json, as: UTF8.self)
                == #"{"area":"hub","subject":"main","status":"problem","code":"key_refused","message":"no"}"#
        )
        #expect(
            String(decoding: advice.json, as: UTF8.self)
                == #"{"area":"clock","status":"advice","code":"clock_skew","message":"is slow"}"#
        )
    }

    @Test func `the exit code names the problem that must be fixed first`() {
        #expect([fine, advice].exitCode == .success)
        #expect([fine, refused].exitCode.rawValue == 1)
        #expect([refused, away].exitCode.rawValue == 69)
        #expect([away, wrong, refused].exitCode.rawValue == 78)
    }

    @Test func `the last line has the number of facts of each status`() {
        #expect([fine].summary == "all is well: nothing was sent or written")
        #expect([fine, advice].summary == "no problems, 1 piece of advice")
        #expect([refused, away, advice, advice].summary == "2 problems, 2 pieces of advice")
        #expect([refused].summary == "1 problem")
    }

    @Test func `colours are used only on a terminal, and not if the user turned them off`() {
        let coloured = TerminalStyle(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(refused.line(coloured) == "\u{1B}[1;31mproblem\u{1B}[0m  hub main: no")
        #expect(fine.line(coloured).hasPrefix("\u{1B}[32mok\u{1B}[0m       topic"))
        #expect(!TerminalStyle(isTerminal: false, environment: [:]).isColored)
        #expect(!TerminalStyle(isTerminal: true, environment: ["NO_COLOR": "1"]).isColored)
        #expect(!TerminalStyle(isTerminal: true, environment: ["TERM": "dumb"]).isColored)
    }
}
