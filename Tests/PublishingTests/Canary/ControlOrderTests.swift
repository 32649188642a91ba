import NewsflashPublishing
import NewsflashTimestamps
import Testing

/// Commands of the control topic other than pausing and resuming.
@Suite(.timeLimit(.minutes(1)))
struct ControlOrderTests {
    private static let instant = Timestamp(seconds: 1_772_440_800)

    private func decoded(_ text: String) throws -> ControlOrder {
        try ControlOrderCodec.decode(Array(text.utf8).span)
    }

    @Test(arguments: [
        ControlOrder.source(ControlRecord(.pause, .all, by: .person("ed:novak"), reason: "wrong", at: instant)),
        .source(ControlRecord(.resume, .source("https://a.example/desk"), by: .volumeLimit, reason: "", at: instant)),
        .reload(ReloadOrder(by: "ed:novak", reason: "new words", at: instant)),
        .reload(
            ReloadOrder(
                events: 0,
                announced: [.words, .lost],
                limits: [.gained: 4],
                by: "ed:novak",
                reason: "\"quoted\"",
                at: instant
            )
        ),
        .logLevel(LogLevelOrder(level: "debug", until: instant + .seconds(1800), by: "ops", reason: "x", at: instant)),
    ])
    func `a command is read as it was written`(order: ControlOrder) throws {
        #expect(try ControlOrderCodec.decode(ControlOrderCodec.encode(order).span) == order)
    }

    @Test func `the trial time of an earlier version is ignored`() throws {
        let order = try decoded(#"{"v":1,"act":"reload","by":"a","at":"2026-03-02T09:20:00Z","within":600,"canary":7}"#)
        guard case .reload(let reload) = order else {
            Issue.record("\(order) is not an order to reload")
            return
        }
        #expect(reload.events == 7)
    }

    @Test func `an act of a later version is decoded as unknown`() throws {
        #expect(try decoded(#"{"v":1,"act":"mute","at":"yesterday"}"#) == .unknown(act: "mute"))
        #expect(ControlOrder.unknown(act: "mute").key == nil)
    }

    @Test func `each kind of command has its own key in the topic`() throws {
        let reload = ControlOrder.reload(ReloadOrder(by: "a", reason: "b", at: Self.instant))
        let level = LogLevelOrder(level: "info", until: Self.instant, by: "a", reason: "b", at: Self.instant)
        let hold = ControlRecord(.pause, .all, by: .volumeLimit, reason: "", at: Self.instant)
        #expect([reload, .logLevel(level), .source(hold)].map(\.key) == ["reload", "logLevel", "limit all"])
    }

    @Test(arguments: [
        #"{"v":1}"#, #"{"v":1,"act":7}"#, #"{"v":2,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z"}"#,
        #"{"v":1,"act":"reload","by":"a"}"#, #"{"v":1,"act":"reload","at":"2026-03-02T08:40:00Z"}"#,
        #"{"v":1,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z","canary":-1}"#,
        #"{"v":1,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z","canary":9223372036854775807}"#,
        #"{"v":1,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z","announce":"words"}"#,
        #"{"v":1,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z","announce":["same"]}"#,
        #"{"v":1,"act":"reload","by":"a","at":"2026-03-02T08:40:00Z","limits":{"cheer":1}}"#,
        #"{"v":1,"act":"logLevel","by":"a","at":"2026-03-02T08:40:00Z","level":"debug"}"#,
        #"{"v":1,"act":"logLevel","by":"a","at":"2026-03-02T08:40:00Z","until":"2026-03-02T09:40:00Z"}"#,
        #"{"v":1,"act":"logLevel","by":"a","at":"2026-03-02T08:40:00Z","level":"debug","until":"2026-03-04T08:40:00Z"}"#,
        #"[]"#, "",
    ])
    func `an invalid command is refused with the reason`(text: String) {
        #expect(throws: ControlRecordError.self) { try decoded(text) }
    }
}
