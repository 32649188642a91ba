import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The results of commands for files with the desk's events and an agency's items.
@Suite(.timeLimit(.minutes(1)))
struct SeveralSourcesTests {
    private static let yaml =
        SampleNewsroom.yaml + """

            sources:
              desk: { topic: newsroom.breaking.v1, id: "urn:desk" }
              wire: { topic: wire.ninjs.v1, format: ninjs, id: "urn:wire", push: { urgency: 1..3 } }
              ap: { topic: wire.ap.v1, format: ap, id: "urn:ap" }
            """

    private static let item = """
        {"uri":"urn:wire:1","version":"1","versioncreated":"2026-03-02T08:00:00Z","language":"en","headline":"A dam",\
        "subject":["world"],"urgency":URGENCY}
        """

    private func read() throws -> ReadConfiguration {
        try SampleNewsroom.reader.read(text: Self.yaml, source: "news.yaml")
    }

    private func configuration(_ source: String? = nil) throws -> WorkerConfiguration {
        var configuration = try read().configuration
        if let source { configuration.sources = [try configuration.sources.named(source, in: "news.yaml")] }
        return configuration
    }

    private func records(urgency: Int) throws -> [PlacedRecord] {
        let item = Self.item.replacing("URGENCY", with: "\(urgency)")
        return try RehearsalFiles.parts(of: [FileRecord(file: "item.json", bytes: Array(item.utf8))])
    }

    private func lint(by source: String? = nil, _ records: [PlacedRecord]) throws -> [String] {
        let report = LintReport(
            file: "news.yaml",
            result: .success(try read()),
            records: records,
            sources: try source.map { try configuration($0).sources },
            now: SampleNewsroom.now
        )
        return report.lines
    }

    @Test func `lint decodes each record as the first source that can, and names all topics`() throws {
        let lines = try lint(records(urgency: 2))
        #expect(lines.first == "item.json: would be sent: 1 request to World")
        #expect(
            lines.contains { $0.contains("from topics newsroom.breaking.v1, wire.ninjs.v1, wire.ap.v1 at 127.0.0.1") }
        )
    }

    @Test func `lint decodes a record as the given source`() throws {
        let lines = try lint(by: "desk", records(urgency: 2))
        #expect(lines.first?.hasPrefix("item.json: invalid.schema: /v: is missing") == true)
        #expect(lines.contains { $0.contains("wire.ninjs.v1") })
    }

    @Test func `lint parses a record with its headers`() throws {
        let text = """
            {"kafka":{"key":"k","headers":{"ce_specversion":"1.0","ce_id":"e-9","ce_source":"urn:desk","ce_type":"t"}},
             "value":{"v":1,"story":"s","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z",
             "categories":["world"],"language":"en","text":{"en":{"headline":"H"}}}}
            """
        let records = try RehearsalFiles.parts(of: [FileRecord(file: "ce.json", bytes: Array(text.utf8))])
        #expect(try lint(records).first == "ce.json: would be sent: 1 request to World")
    }

    @Test func `an explanation names the source that decoded the record and the path of its rule`() throws {
        let explainer = try EventExplainer(
            configuration(),
            places: ConfigurationPlaces(text: Self.yaml, file: "news.yaml"),
            now: SampleNewsroom.now
        )
        let explanation = try #require(try explainer.explain(records(urgency: 5)).last)
        let lines = explanation.text().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  read by sources.wire") })
        #expect(lines.contains { $0.contains("suppressed.not_for_push") && $0.contains("sources.wire.push") })
    }

    @Test func `a rehearsal names the source that decoded each record`() throws {
        let report = try RehearsalReport(of: records(urgency: 2), configuration(), now: SampleNewsroom.now)
        let line = try JSONReader.read(try #require(report.lines.first))
        #expect(line[member: "source"] == .string("wire"))
        #expect(line[member: "file"] == nil)
    }

    private static let alert = """
        {"v":1,"id":"a","source":"urn:S","story":"one-name","revision":1,"kind":"alert",\
        "published":"2026-03-02T08:00:00Z","categories":["world"],"text":{"en":{"headline":"A dam"}}}
        """

    /// Creates an alert of one source and a kill of another, for stories of one name.
    private func recordsOfTwoSources(killFrom source: String) throws -> [PlacedRecord] {
        let kill = Self.alert.replacing(#""id":"a""#, with: #""id":"k""#).replacing(#""alert""#, with: #""kill""#)
            .replacing(#""revision":1"#, with: #""revision":2"#)
        return try [("desk", Self.alert), (source, kill)].enumerated().map { index, record in
            let bytes = Array(#"{"source":"\#(record.0)","value":\#(record.1)}"#.utf8)
            return PlacedRecord(
                line: index + 1,
                file: "two.ndjson",
                place: "two.ndjson:\(index + 1)",
                record: try RehearsalFiles.record(bytes, at: "two.ndjson:\(index + 1)")
            )
        }
    }

    @Test(arguments: Scene.restarts)
    func `each source has its own ledger, so stories of one name share no facts`(restarts: RehearsedRestarts) throws {
        let two = try ConfigurationReader(environment: [:]).read(
            text: Self.yaml.replacing("format: ninjs, ", with: "").replacing("push: { urgency: 1..3 }", with: ""),
            source: "news.yaml"
        ).configuration
        func lastLine(killFrom source: String) throws -> JSONValue {
            let records = try recordsOfTwoSources(killFrom: source)
            try records.checkSources(of: two)
            let report = try RehearsalReport(of: records, two, restarts: restarts, now: SampleNewsroom.now)
            #expect(report.faults == [])
            return try JSONReader.read(try #require(report.lines.last))
        }
        let own = try lastLine(killFrom: "desk")
        #expect(own[member: "audienceFrom"] == .string("a"))
        #expect(own[member: "source"] == .string("desk"))
        let other = try lastLine(killFrom: "wire")
        #expect(other[member: "source"] == .string("wire"))
        // Nobody was notified of this story in its source, so it goes to its own categories.
        #expect(other[member: "audienceFrom"] == nil)
        #expect(other[member: "warn"] == .array([.string("story.unknown")]))
    }

    /// An item of an agency, and a kill of its story: as a record of the desk, or of the agency as
    /// `newsflash withdraw` writes it.
    @Test(arguments: Scene.restarts, [false, true])
    func `a kill at the desk does not withdraw an agency's story, a kill at the agency's source does`(
        restarts: RehearsedRestarts,
        isBeside: Bool
    ) throws {
        let item = Self.item.replacing("URGENCY", with: "2")
        let kill = Self.alert.replacing(#""id":"a""#, with: #""id":"k""#).replacing(#""alert""#, with: #""kill""#)
            .replacing("one-name", with: "urn:wire:1").replacing(#","categories":["world"]"#, with: "")
        let headers = isBeside ? #""source":"wire","headers":{"newsflash-event":"1"},"# : ""
        let texts = [#"{"source":"wire","value":\#(item)}"#, #"{\#(headers)"value":\#(kill)}"#]
        let records = try texts.enumerated().map { index, text in
            PlacedRecord(
                line: index + 1,
                file: "two.ndjson",
                place: "two.ndjson:\(index + 1)",
                record: try RehearsalFiles.record(Array(text.utf8), at: "two.ndjson:\(index + 1)")
            )
        }
        let report = try RehearsalReport(
            of: records,
            configuration(),
            restarts: restarts,
            now: SampleNewsroom.now
        )
        let line = try JSONReader.read(try #require(report.lines.last))
        #expect(line[member: "source"]?.string == (isBeside ? "wire" : "desk"), "\(report.lines)")
        #expect(line[member: "outcome"]?.string == (isBeside ? "sent" : "suppressed"), "\(report.lines)")
    }

    @Test func `a record of a source that is not configured is an error`() throws {
        let error = #expect(throws: OperationError.self) {
            try recordsOfTwoSources(killFrom: "wires").checkSources(of: configuration())
        }
        #expect(error?.kind == .badData)
        #expect(error?.description == "two.ndjson:2: unknown source 'wires'; configured: 'desk', 'wire', 'ap'")
    }

    @Test func `an unknown source is refused with the list of known ones`() {
        let error = #expect(throws: OperationError.self) { try configuration("wires") }
        #expect(error?.kind == .badConfiguration)
        #expect(
            error?.description
                == "news.yaml: unknown source 'wires'; configured: 'desk', 'wire', 'ap'. Did you mean 'wire'?"
        )
    }

    @Test(arguments: [
        ([], "newsroom.breaking.v1", SourceFormat.event), (["--source", "wire"], "wire.ninjs.v1", .ninjs),
        (["--topic", "wire.ap.v1"], "wire.ap.v1", .ap), (["--source", "wire", "--topic", "copy"], "copy", .ninjs),
    ])
    func `publish writes to the given source, otherwise to the first`(
        _ words: [String],
        _ topic: String,
        _ format: SourceFormat
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("news.yaml")
        try Self.yaml.write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["publish", "--config", path] + words + ["item.json"]
        let command = try #require(try Newsflash.parseAsRoot(words) as? PublishCommand)
        let settings = try command.options.read(source: command.source, environment: [:])
        #expect(settings.source.topic == topic)
        #expect(settings.source.format == format)
    }

    @Test func `a published record is checked in the form of its source, and its story is the key`() throws {
        let item = try records(urgency: 2).compactMap { $0.record.value }
        let files = item.map { FileRecord(file: "item.json", bytes: $0) }
        func plan(_ source: String) throws -> PublishPlan {
            PublishPlan(
                events: files,
                decoder: try configuration().sources.named(source, in: "news.yaml").decoder,
                now: SampleNewsroom.now,
                clockSkew: .seconds(10)
            )
        }
        #expect(try plan("desk").entries.isEmpty)
        #expect(try plan("desk").refusals.count == 1)
        #expect(try plan("wire").refusals == [])
        #expect(try plan("wire").entries.map(\.key) == [Array("urn:wire:1".utf8)])
        #expect(try plan("wire").entries.map(\.value) == item)
    }
}
