import NewsflashCommandLineArguments
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct CheckFactTests {
    private let fine = CheckFact.ok(.topic, "news", "6 partitions")
    private let advice = CheckFact.advice(.clock, "", .clockSkew, "is slow")
    private let refused = CheckFact.problem(.refused, .hub, "main", .keyRefused, "no")
    private let away = CheckFact.problem(.unreachable, .kafka, "a:9092", .portClosed, "away")
    private let wrong = CheckFact.problem(.configuration, .configuration, "news.yaml:3", .invalid, "mend it")

    @Test func `each fact is one line whose first word is its status`() {
        #expect(fine.lines(.plain) == ["ok       topic news: 6 partitions"])
        #expect(advice.lines(.plain) == ["advice   clock: is slow"])
        #expect(refused.lines(.plain) == ["problem  hub main: no"])
    }

    @Test func `the JSON form has each fact as an object with a label`() {
        #expect(
            refused.json.map { String(decoding: $0, as: UTF8.self) }
                == [#"{"area":"hub","subject":"main","status":"problem","code":"key_refused","message":"no"}"#]
        )
        #expect(
            advice.json.map { String(decoding: $0, as: UTF8.self) }
                == [#"{"area":"clock","status":"advice","code":"clock_skew","message":"is slow"}"#]
        )
    }

    @Test func `equal results of several topics are one line that counts once, and an object each`() {
        var facts: [CheckFact] = []
        for topic in ["a", "b"] { facts.fold(.advice(.topic, topic, .topicUnfit, "has one replica")) }
        facts.fold(.problem(.refused, .topic, "a", .topicUnfit, "has one replica"))
        facts.fold(.advice(.rights, "a", .topicUnfit, "has one replica"))
        #expect(
            facts.flatMap { $0.lines(.plain) } == [
                "advice   topic a, b: has one replica", "problem  topic a: has one replica",
                "advice   rights a: has one replica",
            ]
        )
        #expect(facts.flatMap(\.json).count == 4)
        #expect(facts.summary == "1 problem, 2 pieces of advice")
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
        func style(_ isTerminal: Bool, _ environment: [String: String]) -> ScreenStyle {
            ScreenStyle(isTerminal: isTerminal, size: nil, environment: environment)
        }
        let coloured = style(true, ["TERM": "xterm", "NO_COLOR": ""])
        #expect(refused.lines(coloured) == ["\u{1B}[1;31mproblem\u{1B}[0m  hub main: no"])
        #expect(fine.lines(coloured).first?.hasPrefix("ok       topic") == true)
        #expect(!style(false, [:]).isColored)
        #expect(!style(true, ["NO_COLOR": "1"]).isColored)
        #expect(!style(true, ["TERM": "dumb"]).isColored)
    }

    @Test func `a long finding continues under its beginning on a terminal, and is one line in a file`() {
        let message = "has 2 partitions fewer than its source: make it again with 'newsflash topics apply'\u{1B}[2J"
        let long = CheckFact.problem(.refused, .topic, "newsflash.newsroom.breaking.v1.ledger", .topicUnfit, message)
        let style = ScreenStyle(isTerminal: true, size: (60, 24), environment: ["TERM": "dumb"])
        #expect(
            long.lines(style) == [
                "problem  topic newsflash.newsroom.breaking.v1.ledger: has 2",
                "         partitions fewer than its source: make it again",
                "         with 'newsflash topics apply'\\u001b[2J",
            ]
        )
        #expect(long.lines(.plain).count == 1)
    }
}
