import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The output of commands for events to users by name, and for events with `delivery: secure`.
@Suite(.timeLimit(.minutes(1)))
struct PersonalEventTests {
    private static let yaml = """
        version: 1
        hub: newsroom
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }
        text:
          kill: "Withdrawn: {headline}"
          secure: { en: "You have a message", fr: "Vous avez un message" }
        secure: { keyFile: no-such-file }
        """

    private static func event(_ members: String, revision: Int = 1) -> String {
        #"{"v":1,"id":"e-\#(revision)","story":"urn:desk:1","revision":\#(revision),"kind":"alert","#
            + #""published":"2026-03-02T08:00:00Z",\#(members),"text":{"en":{"headline":"Bridge closed"}}}"#
    }

    private static let named = event(#""audience":{"users":["anna","ben"]},"categories":["world"]"#)
    private static let secure = event(#""audience":{"users":["anna"]},"delivery":"secure""#)

    private func read(_ text: String = yaml) -> Result<ReadConfiguration, ConfigurationError> {
        Result { () throws(ConfigurationError) in
            try SampleNewsroom.reader.read(text: text, source: "news.yaml")
        }
    }

    private func explanation(_ texts: String..., showsRequests: Bool = false) throws -> String {
        let explanations = try SampleNewsroom.explanations(texts, yaml: Self.yaml)
        return try #require(explanations.last).text(showsRequests: showsRequests)
    }

    private func lint(_ texts: String..., yaml: String = yaml) -> LintReport {
        let records = texts.enumerated().map { index, text in
            PlacedRecord(
                line: index + 1,
                file: "e.ndjson",
                place: "e.ndjson:\(index + 1)",
                record: RehearsalRecord(value: Array(text.utf8))
            )
        }
        return LintReport(file: "news.yaml", result: read(yaml), records: records, now: SampleNewsroom.now)
    }

    @Test func `explain shows which tags users have, and warns that some may be notified twice`() throws {
        let text = try explanation(Self.named)
        for line in [
            "main, template: World\n", "main, template: username:anna || username:ben\n",
            "determined by send.tags (by default)\n", "2 users, tags determined by send.users (by default)\n",
            "a user who is also in a category may get it twice; the second notification replaces the first\n",
            "warnings: audience.overlap\n",
        ] {
            #expect(text.contains(line), "\(text)")
        }
    }

    @Test func `explain shows why the text is not sent, and what is shown instead`() throws {
        let text = try explanation(Self.secure)
        #expect(text.contains("secure, so only a token of the event is sent: the event's delivery\n"))
        #expect(text.contains("  fr: Vous avez un message — text.secure.fr: Vous avez un message (news.yaml:7)"))
        #expect(!text.contains("Bridge closed"))
        let later = try explanation(Self.secure, Self.event(#""categories":["world"]"#, revision: 2))
        #expect(later.contains("the delivery of an earlier event of its story\n"))
        #expect(!later.contains("Bridge closed"))
    }

    @Test func `explain shows the request as it is sent`() throws {
        let text = try explanation(Self.secure, showsRequests: true)
        #expect(text.contains("ServiceBusNotification-Tags: username:anna\n"))
        #expect(text.contains(#""delivery": "secure","#))
        #expect(!text.contains("Bridge closed"))
        #expect(!text.contains("urn:desk:1\""))
    }

    @Test func `lint counts users and reports what cannot be sent`() {
        let report = lint(Self.named, Self.secure.replacing("urn:desk:1", with: "urn:desk:2"))
        #expect(
            report.lines.first
                == "e.ndjson:1: would be sent: 2 requests to World, 2 users; warnings: audience.overlap; note: a user who is "
                + "also in a category may get it twice; the second notification replaces the first"
        )
        #expect(
            report.lines.dropFirst().first
                == "e.ndjson:2: would be sent: 1 request to 1 user; note: its text is not sent: devices get a token and "
                + "the notice of text.secure"
        )
        #expect(!report.hasProblems)
        let without = lint(
            Self.secure,
            yaml: Self.yaml.replacing(#"secure: { en: "You have a message", fr: "Vous avez un message" }"#, with: "")
        )
        #expect(without.lines.first?.hasPrefix("e.ndjson:1: invalid.no_secure_text: /delivery: ") == true)
        #expect(without.hasProblems)
    }

    @Test func `a rehearsal's line names the tags of users and the delivery`() throws {
        let configuration = try read().get().configuration
        var rehearsal = Rehearsal(configuration, start: SampleNewsroom.now)
        rehearsal.receive(RehearsalRecord(value: Array(Self.secure.utf8)))
        rehearsal.finish()
        let line = RehearsedLine(
            line: 1,
            file: nil,
            record: try #require(rehearsal.records.first),
            configuration: configuration,
            clients: nil
        )
        let document = try JSONReader.read(try line.json())
        #expect(document[member: "userTags"] == .array([.string("username:anna")]))
        #expect(document[member: "delivery"] == .string("secure"))
        #expect(document[member: "rendered"]?[member: "fr"] == .string("Vous avez un message"))
    }
}
