import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TopTests {
    @Test
    func `several workers have a line each, also workers that do not answer`() async throws {
        try await WatchedNewsroom.open(partitions: 2) { newsroom in
            try await newsroom.withWorkers(2) { addresses in
                let (code, lines) = try await WatchedNewsroom.newsflash(
                    "top",
                    "--times",
                    "2",
                    "--every",
                    "1s",
                    "--admin",
                    addresses[0],
                    "--admin",
                    addresses[1],
                    "--admin",
                    "127.0.0.1:1"
                )
                #expect(code == 0, "\(lines)")
                #expect(lines.count == 6)
                for address in addresses { #expect(lines.count { $0.contains(" \(address) ") } == 2) }
                #expect(lines.count { $0.contains(" 127.0.0.1:1 no_answer partitions=- lag=- ") } == 2)
                #expect(lines.contains { $0.contains(" lag=0 oldest=0.0s express=0+0 normal=0+0 retry=0+0 ") })
            }
        }
        let silent = try await WatchedNewsroom.newsflash("top", "--times", "1", "--admin", "127.0.0.1:1")
        #expect(silent.code == 69)
    }

    /// Three workers: one that works, one whose circuit is open, one that does not answer.
    private func table() throws -> TopTable {
        let now = Instant.now
        let time = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        func look(_ address: String, ready: String, ends: Double) throws -> WorkerSnapshot {
            let status = """
                {"worker":{},"partitions":[{"partition":"news[0]","phase":"working","lag":{"records":12,"seconds":4.25}}],\
                "lanes":{"express":{"waiting":0,"inFlight":1},"normal":{"waiting":11,"inFlight":0}},\
                "events":{"waiting":3},"pauses":[]}
                """
            let facts = WorkerFacts(health: try JSONReader.read(ready), status: try JSONReader.read(status), ends: ends)
            return WorkerSnapshot(address: address, answer: .success(facts))
        }
        let ready = #"{"ready":true,"reasons":[]}"#
        let held = #"{"ready":false,"reasons":["held.refusals: since noon; look at what was deployed"]}"#
        var table = TopTable()
        table.update(with: [try look("a:1", ready: ready, ends: 100)], at: time, now)
        table.update(
            with: [
                try look("a:1", ready: ready, ends: 150), try look("bb:2", ready: held, ends: 0),
                WorkerSnapshot(address: "c:3", answer: .failure(NoAnswerError(why: "nobody listens"))),
            ],
            at: time,
            now + .seconds(2)
        )
        return table
    }

    private func screen(_ width: Int, height: Int = 40, colour: Bool = false) throws -> [String] {
        let environment = colour ? ["TERM": "xterm"] : ["TERM": "xterm", "NO_COLOR": "1"]
        return try table().screen(
            ScreenStyle(isTerminal: true, size: (width, height), environment: environment)
        )
    }

    @Test
    func `on a terminal columns have headings, a rate between two looks, and the reasons below`() throws {
        #expect(
            try screen(140) == [
                "newsflash top, 2026-03-02T08:00:00Z: 3 workers, 1 well, lag 24 records; q quits",
                "",
                "WORKER  STATE          PARTITIONS  LAG  OLDEST  EXPRESS  NORMAL  RETRY  WAITING  ENDED/S",
                "a:1     ready                   1   12    4.2s      0+1    11+0    0+0        3       25",
                "bb:2    held.refusals           1   12    4.2s      0+1    11+0    0+0        3        -",
                "c:3     no answer               -    -       -        -       -      -        -        -",
                "",
                "bb:2: held.refusals: since noon; look at what was deployed",
                "",
                "c:3: nobody listens",
            ]
        )
    }

    @Test
    func `columns that do not fit are left out, the least important first, and long lines continue`() throws {
        #expect(
            try screen(80).prefix(6).dropFirst(2) == [
                "WORKER  STATE          PARTITIONS  LAG  OLDEST  EXPRESS  WAITING  ENDED/S",
                "a:1     ready                   1   12    4.2s      0+1        3       25",
                "bb:2    held.refusals           1   12    4.2s      0+1        3        -",
                "c:3     no answer               -    -       -        -        -        -",
            ]
        )
        #expect(
            try screen(60) == [
                "newsflash top, 2026-03-02T08:00:00Z: 3 workers, 1 well, lag",
                "24 records; q quits",
                "",
                "WORKER  STATE          LAG  OLDEST  EXPRESS  ENDED/S",
                "a:1     ready           12    4.2s      0+1       25",
                "bb:2    held.refusals   12    4.2s      0+1        -",
                "c:3     no answer        -       -        -        -",
                "",
                "bb:2: held.refusals: since noon; look at what was deployed",
                "",
                "c:3: nobody listens",
            ]
        )
        #expect(try screen(80, height: 8).last == "… 5 more lines")
        #expect(try screen(80, height: 8).count == 6)
    }

    @Test
    func `colours are only around states, and a screen replaces the previous one line by line`() throws {
        let coloured = try screen(140, colour: true)
        #expect(coloured[3].hasPrefix("a:1     ready        "))
        #expect(coloured[4].hasPrefix("bb:2    \u{1B}[1;31mheld.refusals\u{1B}[0m  "))
        let frame = try table().frame(ScreenStyle(isTerminal: true, size: nil, environment: ["NO_COLOR": "1"]))
        #expect(frame.hasPrefix("\u{1B}[H\u{1B}[2Knewsflash top") && frame.hasSuffix("nobody listens\n\u{1B}[J"))
        #expect(!frame.contains("\u{1B}[2J"))
    }

    @Test
    func `each worker is a JSON object`() throws {
        let objects = try table().json.map { try JSONReader.read($0) }
        #expect(objects.map { $0[member: "admin"]?.string } == ["a:1", "bb:2", "c:3"])
        #expect(objects[0][member: "endedPerSecond"]?.number?.double == 25)
        #expect(objects[0][member: "lag"]?[member: "records"]?.int64 == 12)
        #expect(objects[0][member: "lanes"]?[member: "normal"]?[member: "waiting"]?.int64 == 11)
        #expect(objects[1][member: "state"]?.string == "held.refusals")
        #expect(objects[2][member: "error"]?.string == "nobody listens")
    }

    @Test
    func `the text of a worker cannot steer the terminal`() throws {
        let reasons = #"{"ready":false,"reasons":["held\u001b[2J\nforged: \u001b[31mred"]}"#
        let facts = WorkerFacts(health: try JSONReader.read(reasons), status: try JSONReader.read("{}"), ends: 0)
        var table = TopTable()
        table.update(with: [WorkerSnapshot(address: "a:1", answer: .success(facts))], at: .now(), .now)
        for line in table.screen(.plain) + table.lines {
            #expect(!line.contains("\u{1B}") && !line.contains("\n"), "\(line.debugDescription)")
        }
        // The columns fit the escaped text.
        #expect(table.screen(.plain)[2].count == table.screen(.plain)[3].count)
    }

    @Test(arguments: [
        (0, "0.0 s"), (4250, "4.2 s"), (59_999, "59 s"), (119_000, "119 s"), (1_620_000, "27 min"),
        (11_100_000, "3 h 5 min"), (1_047_600_000, "12 d 3 h"),
    ])
    func `times have units that fit them`(milliseconds: Int, words: String) {
        #expect(Duration.milliseconds(milliseconds).inWords == words)
    }

    @Test
    func `only final outcomes are counted`() {
        let text = """
            newsflash_outcomes_total{outcome="sent"} 40
            newsflash_outcomes_total{outcome="expired"} 2
            newsflash_retries_total{error="unknown"} 7
            """
        #expect(WorkerFacts.ends(in: Array(text.utf8)) == 42)
    }
}
