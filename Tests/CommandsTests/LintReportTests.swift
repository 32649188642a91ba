import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct LintReportTests {
    private func read(_ yaml: String = SampleNewsroom.yaml) -> Result<ReadConfiguration, ConfigurationError> {
        do throws(ConfigurationError) {
            return .success(try SampleNewsroom.reader.read(text: yaml, source: "news.yaml"))
        } catch {
            return .failure(error)
        }
    }

    private func report(_ records: [FileRecord], yaml: String = SampleNewsroom.yaml) -> LintReport {
        LintReport(file: "news.yaml", result: read(yaml), records: records.map(\.placed), now: SampleNewsroom.now)
    }

    private let fine = """
        news.yaml: fine: hub main; locales en (default), fr; 2 categories (World, Sports), tags Sports, World; \
        from topic newsroom.breaking.v1 at 127.0.0.1:9092
        """

    @Test func `a sound configuration has no problem, and lint lists what it checked`() {
        let report = report([])
        #expect(report.lines == [fine])
        #expect(!report.hasProblems)
    }

    @Test func `a warning is shown and does not fail the check`() {
        let report = report([], yaml: SampleNewsroom.yaml.replacing(", fr: \"Alerte : {headline}\"", with: ""))
        #expect(
            report.lines == [
                "news.yaml:8: warning: text.flash.fr: is missing; the pattern of en is used instead", fine,
            ]
        )
        #expect(!report.hasProblems)
    }

    @Test func `a category with texts for news and none for a withdrawal fails the check`() {
        let report = report([], yaml: SampleNewsroom.yaml.split(separator: "\n").dropLast().joined(separator: "\n"))
        let problem = "text.kill: is missing: a withdrawal would be announced in the words of an alert"
        #expect(report.lines.first == "news.yaml:8: \(problem)")
        #expect(report.hasProblems)
    }

    @Test func `all problems are reported at once with file and line`() {
        let report = report(
            SampleNewsroom.records(SampleNewsroom.flash),
            yaml: SampleNewsroom.yaml + "\nhubb: x\nkafka: 1"
        )
        #expect(report.hasProblems)
        #expect(report.lines.contains { $0.hasPrefix("news.yaml:11: hubb: unknown key") })
        #expect(report.lines.contains("news.yaml:12: kafka: must be a mapping of keys to values"))
        #expect(
            report.lines.suffix(2) == ["news.yaml: 2 problems", "1 event not checked: fix the configuration first"]
        )
    }

    @Test func `each event gets its decision based on the events before it`() {
        let records = SampleNewsroom.records(
            SampleNewsroom.flash,
            SampleNewsroom.correction,
            SampleNewsroom.kill,
            SampleNewsroom.correction,
            SampleNewsroom.withoutText
        )
        let report = report(records)
        #expect(
            report.lines == [
                "events.ndjson:1: would be sent: 1 request to World; warnings: category.unknown",
                "events.ndjson:2: would be sent: 1 request to World",
                "events.ndjson:3: would be sent: 1 request to World",
                "events.ndjson:4: duplicate.id",
                "events.ndjson:5: invalid.schema: /text: must be an object, is a string",
                fine,
                "5 events checked, 1 invalid",
            ]
        )
        #expect(report.hasProblems)
    }

    @Test func `files without an event are not passed over in silence`() {
        let report = LintReport(file: "news.yaml", result: read(), records: [], namesEvents: true, now: .now())
        #expect(report.lines == [fine, "0 events checked, 0 invalid"])
        #expect(!report.hasProblems)
        let wrong = LintReport(file: "a", result: read("version: 1"), records: [], namesEvents: true, now: .now())
        #expect(!wrong.lines.contains { $0.contains("checked") })
    }

    @Test func `lint shows what the current time would do to an old event beside its decision`() throws {
        let later = SampleNewsroom.now + .seconds(86_400)
        let records = SampleNewsroom.records(SampleNewsroom.flash)
        let report = LintReport(file: "news.yaml", result: read(), records: records.map(\.placed), now: later)
        #expect(report.lines.first?.hasSuffix("; at this moment: expired.ttl") == true)
        #expect(!report.hasProblems)
    }

    @Test func `a withdrawal of sent news does not expire`() throws {
        let later = SampleNewsroom.now + .seconds(30 * 86_400)
        let records = SampleNewsroom.records(SampleNewsroom.flash, SampleNewsroom.kill)
        let report = LintReport(file: "news.yaml", result: read(), records: records.map(\.placed), now: later)
        #expect(report.lines.first?.hasSuffix("; at this moment: expired.ttl") == true)
        #expect(report.lines.dropFirst().first == "events.ndjson:2: would be sent: 1 request to World")
    }

    @Test func `an embargoed event is shown with its time, and its withdrawal with what lint assumes`() {
        let embargo = #","embargo":"2026-03-02T10:00:00Z"}"#
        let flash = String(SampleNewsroom.flash.dropLast() + embargo)
        let lines = report(SampleNewsroom.records(flash, SampleNewsroom.kill)).lines
        let end = "sent at 2026-03-02T10:00:00.000Z, when its embargo ends"
        #expect(lines.first?.contains("; note: \(end)") == true)
        #expect(lines.dropFirst().first?.contains("; note: as if its story was \(end); ") == true)
    }

    @Test func `the JSON form has the same content`() throws {
        let document = try JSONReader.read(report(SampleNewsroom.records(SampleNewsroom.flash, "[]")).json)
        #expect(document[member: "problems"]?.array?.isEmpty == true)
        #expect(document[member: "checked"]?[member: "tags"] == .array([.string("Sports"), .string("World")]))
        let events = try #require(document[member: "events"]?.array)
        #expect(events.map { $0[member: "decision"]?.string } == ["send", "invalid"])
        #expect(events.last?[member: "reason"]?.string == "invalid.not_object")
        #expect(events.first?[member: "requests"]?.int64 == 1)
    }

    @Test func `no line about the samples contains text of the news`() throws {
        let records = try TestData.lines(of: "events.ndjson").enumerated().map {
            FileRecord(file: "events.ndjson", line: $0 + 1, bytes: $1)
        }
        let report = report(records)
        #expect(report.events.count == records.count)
        let lines = report.lines.joined(separator: "\n")
        for record in records {
            guard let texts = (try? JSONReader.read(record.bytes))?[member: "text"]?.object else { continue }
            for headline in texts.compactMap({ $0.value[member: "headline"]?.string }) where headline.count > 3 {
                #expect(!lines.contains(headline))
            }
        }
    }

    @Test func `every malformed sample except the one with a byte order mark is invalid`() throws {
        let records = try MalformedFile.all().map { FileRecord(file: $0.name, bytes: $0.bytes) }
        let sound = report(records).events.filter { !$0.forecast.isInvalid }.map(\.place)
        #expect(sound == ["08-utf8-bom.json"])
    }
}

extension FileRecord {
    /// The record without headers.
    fileprivate var placed: PlacedRecord {
        PlacedRecord(line: line ?? 1, file: file, place: place, record: RehearsalRecord(value: bytes))
    }
}
