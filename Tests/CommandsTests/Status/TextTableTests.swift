import NewsflashEvents
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TextTableTests {
    private func style(_ width: Int?) -> ScreenStyle {
        ScreenStyle(isTerminal: true, size: width.map { ($0, 24) }, environment: ["TERM": "dumb"])
    }

    @Test(
        arguments: [
            (true, (100, 30), ["COLUMNS": "80"], 100), (true, nil, ["COLUMNS": "80"], 80),
            (false, nil, ["COLUMNS": "80"], 80),
            (false, nil, [:], nil), (false, nil, ["COLUMNS": "wide"], nil), (true, (3, 30), [:], 20),
        ] as [(Bool, (Int, Int)?, [String: String], Int?)]
    )
    func `the width is that of the terminal, otherwise COLUMNS, otherwise unlimited`(
        isTerminal: Bool,
        size: (Int, Int)?,
        environment: [String: String],
        width: Int?
    ) {
        let size = size.map { (width: $0.0, height: $0.1) }
        #expect(ScreenStyle(isTerminal: isTerminal, size: size, environment: environment).width == width)
    }

    @Test func `the widest shortened column gives way first, after the omitted ones`() {
        var table = TextTable([
            .init("STORY", .shortened(to: 4)), .init("EVENT", .shortened(to: 4)), .init("LAG", isNumber: true),
            .init("EXTRA", .omitted(1)),
        ])
        table.append(["urn:desk:a-long-story", "flash-1", "7", "more"])
        table.append(["s", "", "1200", "more"])
        #expect(
            table.lines(.plain) == [
                "STORY                  EVENT     LAG  EXTRA", "urn:desk:a-long-story  flash-1     7  more",
                "s                               1200  more",
            ]
        )
        #expect(
            table.lines(style(30)) == [
                "STORY            EVENT     LAG", "urn:desk:a-lon…  flash-1     7", "s                         1200",
            ]
        )
        #expect(table.lines(style(20)) == ["STORY   EVENT    LAG", "urn:d…  flash…     7", "s               1200"])
    }

    @Test func `the last column wraps under its beginning, or has lines of its own if less than half is left`() {
        var table = TextTable([.init(minimum: 7), .init("", .wrapped)])
        table.append(["ok", "one two three four five six"])
        #expect(table.lines(style(24)) == ["ok       one two three", "         four five six"])
        var wide = TextTable([.init(minimum: 14), .init("", .wrapped)])
        wide.append(["ok", "one two three four five six"])
        #expect(wide.lines(style(24)) == ["ok", "    one two three four", "    five six"])
        #expect(wide.lines(.plain) == ["ok              one two three four five six"])
    }

    @Test(
        arguments: [
            (
                "see 'newsflash pauses', then 'newsflash resume --source desk'", 30,
                ["see 'newsflash pauses', then", "    'newsflash resume --source desk'"]
            ),
            // A command that is wider than the screen has a line of its own, which the terminal breaks.
            (
                "done: 'newsflash dead-letters redrive --outcome failed'; then look", 30,
                ["done:", "    'newsflash dead-letters redrive --outcome failed';", "    then look"]
            ),
            ("'newsflash explain event.json' shows it", 20, ["'newsflash explain event.json'", "    shows it"]),
            (
                "  newsflash dead-letters redrive --outcome failed", 20,
                ["  newsflash dead-letters redrive --outcome failed"]
            ),
            ("it's the reader's own 'newsflash status'", 26, ["it's the reader's own", "    'newsflash status'"]),
            ("'desk' is one of newsflash and others", 26, ["'desk' is one of newsflash", "    and others"]),
        ]
    )
    func `a command can be copied from one line`(text: String, width: Int, lines: [String]) {
        #expect(text.lines(style(width)) == lines)
    }

    @Test func `long words break, wide characters count twice, and the text of others cannot control the terminal`() {
        #expect("  abcdefghijklmnopqrstuvwxyz".lines(style(20), indent: 2) == ["  abcdefghijklmnopqr", "    stuvwxyz"])
        var table = TextTable([.init("", .shortened(to: 4)), .init()])
        table.append(["新闻快讯新闻快讯新闻", "x\u{1B}[2J\n"])
        #expect(table.lines(style(22)) == ["新闻快…   x\\u001b[2J\\n"])
    }
}

/// The lines of `status --waiting` in the widths of terminals.
@Suite(.timeLimit(.minutes(1)))
struct WaitingEventsTests {
    @Test func `each event has its cause, its times and its record in any width`() throws {
        let found = try WaitingEvents(listing: [
            Self.event("urn:desk:42", "8d1f0c52-flash", .embargo, until: "2026-03-02T09:00:00Z", offset: 4711),
            Self.event("urn:desk:budget-of-the-year", "b2", .pause, until: nil, offset: 12),
            Self.event("urn:desk:43", "43-1", .hub, until: nil, offset: 13),
        ])
        let plain = found.lines(.plain)
        #expect(
            plain == [
                "3 events wait in the ledgers",
                "  1  for the end of its embargo",
                "  1  for a hub that accepts nothing now",
                "  1  for its source to be resumed: see 'newsflash pauses', then 'newsflash resume' (one event: '--event')",
                "",
                "UNTIL                     KIND   STORY                        EVENT           WAITS FOR",
                "2026-03-02T09:00:00.000Z  flash  urn:desk:42                  8d1f0c52-flash  embargo, "
                    + "since 2026-03-02T08:00:00.000Z, news[1] offset 4711",
                "-                         flash  urn:desk:budget-of-the-year  b2              paused source urn:desk, "
                    + "since 2026-03-02T08:00:00.000Z, news[1] offset 12",
                "-                         flash  urn:desk:43                  43-1            hub main, "
                    + "since 2026-03-02T08:00:00.000Z, news[1] offset 13",
            ]
        )
        for width in [60, 80, 140] {
            let lines = found.lines(ScreenStyle(isTerminal: true, size: (width, 24), environment: ["NO_COLOR": "1"]))
            #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
            let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            for words in ["embargo, since", "paused source urn:desk", "hub main", "offset 4711", "09:00:00.000Z"] {
                #expect(text.contains(words), "\(width): \(lines)")
            }
        }
        let nothing = WaitingEvents(listing: []).lines(.plain)
        #expect(nothing.count == 1 && nothing[0].hasPrefix("nothing waits in the ledgers; 'newsflash status --group'"))
    }

    @Test func `an event that was resumed, and that no worker has sent, does not count as paused`() throws {
        let pause = ControlRecord(.pause, .all, by: .person("novak"), reason: "", at: .now())
        var resume = pause
        resume.act = .resume
        var pauses = SourcePauses()
        pauses.apply(pause, at: 0)
        var found = try WaitingEvents(listing: [
            Self.event("s", "a", .pause, until: nil, offset: 1),
            Self.event("s", "b", .volumeLimit, until: nil, offset: 2),
            Self.event("s", "c", .embargoDropped, until: nil, offset: 3),
            Self.event("s", "d", .embargo, until: nil, offset: 4),
        ])
        func resumed() -> [String] { found.events.filter(\.isResumed).compactMap(\.event?.id) }
        found.mark(by: pauses)
        #expect(resumed().isEmpty)
        for (number, event) in found.events.enumerated() where ["b", "c"].contains(event.event?.id) {
            resume.scope = event.scope
            pauses.apply(resume, at: Int64(number + 1))
        }
        found.mark(by: pauses)
        #expect(resumed() == ["b", "c"])
        let lines = found.lines(.plain)
        #expect(lines.contains { $0.hasPrefix("  1  for its source to be resumed") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  2  for a worker or a hub, because a person") }, "\(lines)")
        #expect(lines.count { $0.contains("a worker or its hub: it was resumed, since") } == 2, "\(lines)")
        resume.scope = .all
        pauses.apply(resume, at: 9)
        found.mark(by: pauses)
        #expect(resumed() == ["a", "b", "c"])
        let marks = try found.events.map { try JSONReader.read($0.json)[member: "resumed"]?.bool }
        #expect(marks == [true, true, true, false])
    }

    @Test func `an event is a JSON object`() throws {
        let event = try Self.event("s", "e", .volumeLimit, until: nil, offset: 3)
        let json = try JSONReader.read(event.json)
        #expect(json[member: "reason"]?.string == "volume_limit")
        #expect(json[member: "kind"]?.string == "flash")
        #expect(json[member: "offset"]?.int64 == 3)
        #expect(json[member: "until"] == nil)
        let kill = try Self.event("s", "e", .pause, until: "2126-03-02T08:00:00Z", offset: 3)
        #expect(try JSONReader.read(kill.json)[member: "until"] == nil)
    }

    private static func event(
        _ story: String,
        _ id: String,
        _ reason: StoryFacts.WaitReason,
        until: String?,
        offset: Int64
    ) throws -> WaitingEvent {
        let time = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        let event = NewsEvent(
            id: id,
            source: "urn:desk",
            story: story,
            revision: 1,
            kind: .flash,
            published: time,
            categories: ["world"],
            language: "en",
            text: [EventText(language: "en", headline: "A bridge has opened")]
        )
        let waiting = StoryFacts.Waiting(
            offset: offset,
            timestamp: time,
            consumedAt: time,
            until: until.flatMap { Timestamp(rfc3339: $0) },
            reason: reason,
            source: "urn:desk",
            hubs: reason == .hub ? ["main"] : [],
            attempts: 0,
            key: nil,
            value: []
        )
        let partition = TopicPartition(topic: "news", partition: 1)
        return WaitingEvent(partition: partition, story: story, event: event, waiting: waiting)
    }
}

/// The lines of `status` in the widths of terminals.
@Suite(.timeLimit(.minutes(1)))
struct StatusLinesTests {
    private static let status = """
        {"worker":{"version":"0.1.0","group":"newsflash"},"notes":[],"rules":{"digest":"0c6e1b7a94d2","since":"2026-03-02",\
        "lastReload":{"result":"promoted","at":"2026-03-02","by":"ed","reason":"","detail":"tried on 2 events: 2 words"}},\
        "partitions":[{"partition":"newsroom.breaking.v1[0]","phase":"working","lag":{"records":0,"seconds":0}},\
        {"partition":"newsroom.breaking.v1[1]","phase":"restoring","lag":{"records":3,"seconds":4}}],\
        "hubs":[{"name":"main","inFlight":1,"concurrencyLimit":8,"rateLimit":27,"pausedUntil":"2026-03-02T08:00:00.000Z",\
        "circuit":{"reason":"unauthorized"}}],"pauses":[]}
        """

    private func lines(_ style: ScreenStyle, status: String = Self.status) throws -> [String] {
        let health =
            #"{"ready":false,"reasons":["held.unauthorized: since noon; correct the key\u001b[2J of the hub"]}"#
        let facts = WorkerFacts(
            health: try JSONReader.read(health),
            status: try JSONReader.read(status),
            ends: nil
        )
        let now = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        return WorkerSnapshot(address: "127.0.0.1:9464", answer: .success(facts)).lines(style, now: now)
    }

    @Test(arguments: [("rate", "its rate"), ("unconfirmed", "records that the ledger has not confirmed")])
    func `a hub has what limits its next request`(limit: String, words: String) throws {
        let hold = #""circuit":{"reason":"unauthorized"}"#
        let status = Self.status.replacing(hold, with: #""limit":"\#(limit)","hold":null"#)
        let line = try #require(try lines(.plain, status: status).first { $0.contains("main: ") })
        #expect(line.hasSuffix(", what waits is limited by \(words)"), "\(line)")
    }

    @Test func `only states and lanes that have events are printed`() throws {
        #expect(try lines(.plain).contains("  events     none in progress"))
        #expect(try !lines(.plain).contains { $0.hasPrefix("  lanes") })
        let work = #""events":{"waiting":0,"queued":3,"sending":1},"lanes":{"retry":{"waiting":2,"inFlight":0}},"#
        let busy = try lines(.plain, status: Self.status.replacing("{\"worker\"", with: "{\(work)\"worker\""))
        #expect(busy.contains("  events     3 queued, 1 sending"))
        #expect(busy.contains("  lanes      retry 2 waiting, 0 in flight"))
    }

    @Test func `each fact is one line in a file, and continues under its beginning on a terminal`() throws {
        let plain = try lines(.plain)
        #expect(plain[0] == "127.0.0.1:9464: NOT READY; newsflash 0.1.0 in the group newsflash")
        #expect(plain[1] == "  not ready  held.unauthorized: since noon; correct the key\\u001b[2J of the hub")
        #expect(
            plain[2].hasPrefix("  rules      in force since 2026-03-02, digest 0c6e1b7a94d2; reloaded at 2026-03-02 by")
        )
        #expect(plain[3] == "  partitions newsroom.breaking.v1[0], newsroom.breaking.v1[1] (restoring)")
        #expect(plain[4] == "  lag        3 records, the oldest written 4.0 s ago")
        #expect(plain[5] == "             newsroom.breaking.v1[1]: 3 records, the oldest written 4.0 s ago")
        let narrow = try lines(ScreenStyle(isTerminal: true, size: (60, 24), environment: ["TERM": "dumb"]))
        #expect(
            narrow.prefix(4) == [
                "127.0.0.1:9464: NOT READY; newsflash 0.1.0 in the group",
                "    newsflash",
                "  not ready  held.unauthorized: since noon; correct the",
                "             key\\u001b[2J of the hub",
            ]
        )
        for width in [60, 80, 140] {
            let style = ScreenStyle(isTerminal: true, size: (width, 24), environment: ["TERM": "dumb"])
            let words = try lines(style).flatMap { $0.split(separator: " ") }
            #expect(try lines(style).allSatisfy { $0.count <= width }, "\(width)")
            #expect(words == plain.flatMap { $0.split(separator: " ") }, "no word is lost")
        }
        let coloured = try lines(ScreenStyle(isTerminal: true, size: (140, 24), environment: [:]))
        #expect(coloured[1].hasPrefix("  \u{1B}[1;31mnot ready\u{1B}[0m  held.unauthorized"))
    }
}
