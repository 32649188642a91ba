import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct RehearsalReportTests {
    private func report(
        _ texts: String...,
        expecting expected: String...,
        restarts: RehearsedRestarts = RehearsedRestarts(),
        faults: [String] = []
    ) throws -> RehearsalReport {
        let configuration = try SampleNewsroom.configuration().configuration
        let expectations = try expected.map { try Expectation(FileRecord(file: "x", line: 1, bytes: Array($0.utf8))) }
        var records = try texts.enumerated().map { index, text in
            let record = try RehearsalFiles.record(Array(text.utf8), at: "x:\(index + 1)")
            return PlacedRecord(line: index + 1, file: "x", place: "x:\(index + 1)", record: record)
        }
        records.setTimes(from: expectations)
        return try RehearsalReport(
            of: records,
            configuration,
            restarts: restarts,
            hubFaults: faults.map { try HubFaultArgument.read($0) },
            clients: try RenderedRequest.clients(for: configuration.hubs).clients,
            expectations: expectations,
            now: SampleNewsroom.now
        )
    }

    private func objects(_ report: RehearsalReport) throws -> [JSONValue] {
        try report.lines.map { try JSONReader.read($0) }
    }

    private static let embargoed = """
        {"v":1,"id":"e-5","story":"urn:desk:5","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z",\
        "embargo":"2026-03-02T09:00:00Z","categories":["world"],"text":{"en":{"headline":"Prize goes to Ada"}}}
        """

    @Test func `a line has the decision and the texts for subscribers`() throws {
        let line = try #require(try objects(report(SampleNewsroom.flash)).first)
        #expect(line[member: "line"]?.int64 == 1)
        #expect(line[member: "id"] == .string("e-1"))
        #expect(line[member: "appendAt"] == .string("2026-03-02T08:00:00.000Z"))
        #expect(line[member: "outcome"] == .string("sent"))
        #expect(line[member: "final"] == .bool(true))
        #expect(line[member: "reason"] == nil)
        #expect(line[member: "categoryTags"] == .array([.string("World")]))
        #expect(line[member: "interruption"] == .string("timeSensitive"))
        #expect(line[member: "textFrom"]?[member: "fr"] == .string("en"))
        #expect(line[member: "rendered"]?[member: "fr"] == .string("Breaking: Bridge closed"))
        #expect(line[member: "hub"] == .string("main"))
        #expect(line[member: "template"] == .string("flash"))
        #expect(line[member: "warn"] == .array([.string("category.unknown")]))
    }

    @Test func `a correction names the story whose audiences it has`() throws {
        let line = try #require(try objects(report(SampleNewsroom.flash, SampleNewsroom.correction)).last)
        #expect(line[member: "audienceFrom"] == .string("e-1"))
        #expect(line[member: "categoryTags"] == .array([.string("World")]))
        #expect(line[member: "template"] == .string("correction"))
    }

    @Test(arguments: Scene.restarts)
    func `an embargo ends at its time, with and without a restart`(restarts: RehearsedRestarts) throws {
        let report = try report(Self.embargoed, restarts: restarts)
        let line = try #require(try objects(report).first)
        #expect(line[member: "outcome"] == .string("held"))
        #expect(line[member: "reason"] == .string("held.embargo"))
        #expect(line[member: "final"] == .bool(false))
        #expect(line[member: "then"] == .string("sent"))
        #expect(line[member: "thenAt"] == .string("2026-03-02T09:00:00.000Z"))
        #expect(line[member: "categoryTags"] == .array([.string("World")]))
        #expect(report.faults == [])
    }

    /// A worker that stops in order waits until the request ends; one that crashes begins again at once.
    @Test(arguments: [(RehearsedRestarts(stopEvery: 1), 1), (RehearsedRestarts(crashEvery: 1), 0)])
    func `a stop waits for a request in flight, a crash does not`(restarts: RehearsedRestarts, waits: Int) throws {
        let report = try report(SampleNewsroom.flash, restarts: restarts, faults: ["main=silence@1"])
        let requests = try #require(try objects(report).first?[member: "requests"]?.array)
        #expect(requests.map { $0[member: "answer"]?.string } == ["silence", "201"])
        let times = try requests.map { try #require($0[member: "at"]?.string) }
        #expect(Set(times).count == 1 + waits)
        #expect(report.faults == [])
    }

    @Test func `requests are the worker's, without a signature`() throws {
        let line = try #require(try objects(report(SampleNewsroom.flash)).first)
        let request = try #require(line[member: "requests"]?.array?.first)
        #expect(request[member: "method"] == .string("POST"))
        #expect(request[member: "headers"]?[member: "Authorization"] == .string("<redacted>"))
        let body = try JSONReader.read(Array(try #require(request[member: "body"]?.string).utf8))
        #expect(body[member: "headline_en"] == .string("Breaking: Bridge closed"))
    }

    @Test func `the next revision replaces the previous one on the device`() throws {
        let lines = try objects(report(SampleNewsroom.flash, SampleNewsroom.correction, SampleNewsroom.kill))
        let names = try lines.map { line in
            let body = try #require(line[member: "requests"]?.array?.first?[member: "body"]?.string)
            return try JSONReader.read(Array(body.utf8))[member: "collapse_id"]?.string
        }
        #expect(Set(names).count == 1)
        #expect(names.first != .some(nil))
    }

    @Test func `a record's time is its own, else the expected one, else the publication time of its event`() throws {
        let lines = try objects(
            report(
                SampleNewsroom.flash,
                SampleNewsroom.correction,
                #"{"appendAt":"2026-03-02T08:05:00Z","value":\#(SampleNewsroom.kill)}"#,
                "no JSON",
                expecting: #"{"line":2,"appendAt":"2026-03-02T08:02:00Z"}"#
            )
        )
        #expect(
            lines.map { $0[member: "appendAt"]?.string } == [
                "2026-03-02T08:00:00.000Z", "2026-03-02T08:02:00.000Z", "2026-03-02T08:05:00.000Z",
                "2026-03-02T08:05:00.000Z",
            ]
        )
        #expect(lines.last?[member: "reason"] == .string("invalid.json"))
    }

    @Test func `each difference is described`() throws {
        let report = try report(
            SampleNewsroom.flash,
            SampleNewsroom.withoutText,
            expecting: #"{"line":1,"id":"e-1","outcome":"held","warn":["category.unknown"],"textFrom":{"fr":"fr"}}"#,
            #"{"line":2,"reason":"invalid.schema","scene":"not compared"}"#,
            #"{"line":3,"outcome":"sent"}"#
        )
        #expect(
            report.differences == [
                "line 1 (e-1): outcome: expected held, got sent",
                "line 1 (e-1): textFrom: expected fr: fr, got en: en, fr: en",
                "line 3: no record on this line",
            ]
        )
        #expect(report.passed == 1)
        #expect(report.failed == 2)
    }

    @Test func `lists are compared without their order and times as points in time`() throws {
        let expected = #"{"line":1,"thenAt":"2026-03-02T10:00:00+01:00","categoryTags":["World"],"truncated":[]}"#
        #expect(try report(Self.embargoed, expecting: expected).differences == [])
        let less = #"{"line":1,"categoryTags":[]}"#
        #expect(try report(Self.embargoed, expecting: less).failed == 1)
    }

    @Test func `requests are compared one by one in any order, by the given members`() throws {
        func failed(_ requests: String) throws -> Int {
            try report(Self.embargoed, expecting: #"{"line":1,"requests":[\#(requests)]}"#).failed
        }
        #expect(try failed(#"{"hub":"main","answer":"201","tags":["World"]}"#) == 0)
        #expect(try failed(#"{"answer":"503"}"#) == 1)
        #expect(try failed(#"{"hub":"main"},{"hub":"main"}"#) == 1)
        #expect(try failed("") == 1)
        let members = #"{"of":[{"a":1,"b":2},{"a":3}]}"#
        let expectation = try Expectation(
            FileRecord(file: "x", line: 1, bytes: Array(#"{"line":1,"of":[{"a":3},{"b":2}]}"#.utf8))
        )
        #expect(expectation.differences(from: try JSONReader.read(Array(members.utf8))) == [])
        let twice = #"{"of":[{"a":3},{"a":3}]}"#
        #expect(expectation.differences(from: try JSONReader.read(Array(twice.utf8))).count == 1)
    }

    @Test func `a kill with the revision of the alert has requests of its own`() throws {
        let kill = SampleNewsroom.kill.replacing(#""revision":3"#, with: #""revision":1"#)
        let lines = try objects(report(SampleNewsroom.flash, kill))
        let requests = try #require(lines.last?[member: "requests"]?.array)
        #expect(requests.count == 1)
        #expect(requests.first?[member: "number"]?.int64 == 2)
        #expect(requests.first?[member: "answer"] == .string("201"))
        #expect(requests.first?[member: "template"] == .string("kill"))
        #expect(requests.first?[member: "body"]?.string?.contains("Withdrawn: Bridge closed") == true)
    }

    @Test func `an event that is not sent has no request`() throws {
        let again = SampleNewsroom.kill.replacing("e-3", with: "e-9")
        let line = try #require(try objects(report(SampleNewsroom.flash, SampleNewsroom.kill, again)).last)
        #expect(line[member: "reason"] == .string("suppressed.killed"))
        #expect(line[member: "requests"] == .array([]))
        #expect(line[member: "categoryTags"] == nil)
    }

    @Test func `a record without a value is skipped`() throws {
        let line = try #require(try objects(report(#"{"key":"urn:desk:1","value":null}"#)).first)
        #expect(line[member: "outcome"] == .string("skipped"))
        #expect(line[member: "final"] == .bool(true))
    }
}
