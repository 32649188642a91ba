import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct EventExplanationTests {
    /// Explains the last of several records, with the records before it.
    private func explanation(_ texts: String...) throws -> [Substring] {
        try explain(texts).text().split(separator: "\n", omittingEmptySubsequences: false)
    }

    private func explain(_ texts: [String]) throws -> EventExplanation {
        try #require(try SampleNewsroom.explanations(texts).last)
    }

    @Test func `the JSON form has the same content with the path of each rule`() throws {
        let document = try JSONReader.read(try explain([SampleNewsroom.flash]).json)
        #expect(document[member: "place"]?.string == "e.json")
        #expect(document[member: "id"]?.string == "e-1")
        #expect(document[member: "notAfterRule"]?.string == "policy.life.flash (by default)")
        #expect(document[member: "decisions"]?.array?.first?[member: "outcome"]?.string == "sent")
        let category = document[member: "categories"]?.array?.first
        #expect(category?[member: "category"]?.string == "World")
        #expect(category?[member: "rule"]?.string == "categories.World (news.yaml:5)")
        #expect(document[member: "unknown"]?.array?.map(\.string) == ["unheard-of"])
        let french = document[member: "texts"]?.array?.last
        #expect(french?[member: "textFrom"]?.string == "en")
        #expect(french?[member: "rule"]?.string == "text.flash.en: Breaking: {headline} (news.yaml:8)")
        #expect(document[member: "requests"]?.array?.first?[member: "hub"]?.string == "main")
        let kill = try JSONReader.read(try explain([SampleNewsroom.withoutText]).json)
        #expect(kill[member: "id"]?.string == "e-4")
        #expect(kill[member: "decisions"]?.array?.first?[member: "reason"]?.string == "invalid.schema")
        #expect(kill[member: "requests"] == nil)
    }

    @Test func `each rule has its path, and each text its origin`() throws {
        let lines = try explanation(SampleNewsroom.flash)
        #expect(
            lines == [
                "e.json: e-1: would be sent, with 1 request",
                "  flash, revision 1 of urn:desk:1, from newsroom",
                "  treated as if it arrived when it was published, at 2026-03-02T08:00:00.000Z",
                "  not after 2026-03-02T09:00:00.000Z: policy.life.flash (by default)",
                "  sent at 2026-03-02T08:00:00.000Z; warnings: category.unknown",
                "  timeSensitive for urgency 1: interruption.1 (by default)",
                "",
                "categories",
                "  world is World: categories.World (news.yaml:5)",
                "  unheard-of is unknown: unknown (by default)",
                "",
                "audiences",
                "  main, template: World",
                "  determined by send.tags (by default)",
                "",
                "texts",
                "  en: Breaking: Bridge closed — text.flash.en: Breaking: {headline} (news.yaml:8)",
                "  fr from en, the default language: Breaking: Bridge closed — "
                    + "text.flash.en: Breaking: {headline} (news.yaml:8)",
            ]
        )
    }

    @Test func `a correction names the event whose audiences it has`() throws {
        let lines = try explanation(SampleNewsroom.flash, SampleNewsroom.correction)
        #expect(lines.contains("  everyone notified by e-1, regardless of categories"))
        #expect(lines.contains("  main, template: World"))
    }

    @Test func `a withdrawal has a deadline only if nobody was notified`() throws {
        let lines = try explanation(SampleNewsroom.flash, SampleNewsroom.kill)
        let deadline = "  not after 2026-03-04T08:00:40.000Z: policy.life.kill (by default)"
        #expect(lines.contains(deadline + "; later only if subscribers were notified of its story"))
    }

    @Test func `a skipped event is explained with the path of its rule`() throws {
        let astrology = SampleNewsroom.flash.replacing(#"["world","unheard-of"]"#, with: #"["astrology"]"#)
        let lines = try explanation(astrology)
        #expect(
            lines[4].hasPrefix("  invalid.unmapped at 2026-03-02T08:00:00.000Z: unknown (by default) — /categories")
        )
        #expect(lines.last == "  astrology is unknown: unknown (by default)")
    }

    @Test func `a value that is not an event is explained by its error`() throws {
        let lines = try explanation(SampleNewsroom.withoutText)
        #expect(lines == ["e.json: e-4: would not be sent: invalid.schema: /text: must be an object, is a string"])
    }

    @Test(
        arguments: [
            (#""embargo":"2026-03-02T09:00:00Z","expires":"2026-03-02T08:30:00Z""#, "the event's embargo and expires"),
            (#""embargo":"2027-03-02T09:00:00Z""#, "policy.maximumEmbargo (by default)"),
        ]
    )
    func `times name the rule that they break`(_ members: String, _ rule: String) throws {
        let event = SampleNewsroom.flash.dropLast() + ",\(members)}"
        let line = try explanation(String(event)).first { $0.contains("invalid.times at ") }
        #expect(line?.contains(": \(rule) — ") == true)
    }

    @Test func `a hold does not expire`() throws {
        let hold = SampleNewsroom.kill.replacing(#""kill""#, with: #""hold""#)
        #expect(try !explanation(hold).contains { $0.contains("not after") })
        let document = try JSONReader.read(try explain([hold]).json)
        #expect(document[member: "notAfter"] == nil)
    }

    @Test func `commands before a record are applied and do not count as records`() throws {
        let order = #"{"appendAt":"2026-03-02T07:59:00Z","control":{"act":"pause","reason":"a test"}}"#
        let records = try [order, SampleNewsroom.flash, order].enumerated().map { index, text in
            let record = try RehearsalFiles.record(Array(text.utf8), at: "e.ndjson:\(index + 1)")
            return PlacedRecord(line: index + 1, file: "e.ndjson", place: "e.ndjson:\(index + 1)", record: record)
        }
        let explainer = try EventExplainer(
            SampleNewsroom.configuration().configuration,
            places: ConfigurationPlaces(text: SampleNewsroom.yaml, file: "news.yaml"),
            now: SampleNewsroom.now
        )
        let all = try explainer.explain(records)
        #expect(all.map(\.place) == ["e.ndjson:2"])
        #expect(all.first?.record.first?.verdict.reason == "held.source")
        #expect(all.first?.requests.isEmpty == true)
        #expect(try explainer.explain(records, line: 2).count == 1)
        let error = #expect(throws: OperationError.self) { try explainer.explain(records, line: 3) }
        #expect(error?.description == "e.ndjson: no event is on line 3")
    }

    @Test func `one line is explained after those before it, and without those after it`() throws {
        let embargoed = SampleNewsroom.flash.dropLast() + #","embargo":"2026-03-02T09:00:00Z"}"#
        let hold = SampleNewsroom.kill.replacing(#""kill""#, with: #""hold""#)
        let records = try [SampleNewsroom.withoutText, String(embargoed), hold].enumerated().map { index, text in
            let record = try RehearsalFiles.record(Array(text.utf8), at: "x")
            return PlacedRecord(line: index + 1, file: "x", place: "x:\(index + 1)", record: record)
        }
        let explainer = try EventExplainer(
            SampleNewsroom.configuration().configuration,
            places: ConfigurationPlaces(text: "", file: ""),
            now: SampleNewsroom.now
        )
        #expect(try explainer.explain(records).map { $0.record.last?.verdict.isNotified } == [false, false, false])
        let one = try explainer.explain(records, line: 2)
        #expect(one.map(\.place) == ["x:2"])
        #expect(one.first?.record.last?.verdict.isNotified == true)
    }
}
