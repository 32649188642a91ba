import FoundationEssentials
import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Items in the forms of agencies, with the source of `deploy/guides/feeds.md`: none becomes a dead letter.
@Suite(.timeLimit(.minutes(1)))
struct ProviderItemsTests {
    /// The source of the guide; the open one has no filter of urgencies.
    private static func configuration(isOpen: Bool, adding lines: String = "") throws -> WorkerConfiguration {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let guide = String(
            decoding: try Data(contentsOf: URL(filePath: root + "/deploy/guides/feeds.md")),
            as: UTF8.self
        )
        let start = try #require(guide.firstRange(of: "```yaml\n")).upperBound
        let end = try #require(guide[start...].firstRange(of: "```")).lowerBound
        var sources = String(guide[start..<end])
        if isOpen {
            sources = sources.replacing("urgency: 1..3, type: [text, composite]", with: "type: [text, composite]")
        }
        if !lines.isEmpty { sources = sources.replacing("    html: true", with: "    html: true\n    \(lines)\n   ") }
        let yaml = """
            version: 1
            hub: newsroom
            locales: { offered: [en, de, sv], default: en }
            send: { as: template, tags: "{category}" }
            categories:
              World: [world, "medtop:16000000", "medtop:03000000"]
              Sports: [sports, "medtop:15000000", "subj:15000000"]
              Business: [business, "medtop:04000000", Business-and-Finance]
            unknown: drop
            text: { flash: "Breaking: {headline}", correction: "Correction: {headline}", kill: "Withdrawn: {headline}" }
            \(sources)
            """
        return try ConfigurationReader(environment: [:]).read(text: yaml, source: "news.yaml").configuration
    }

    /// Returns the outcome of one item, with its texts or its reason.
    private static func outcome(of item: String, isOpen: Bool, adding lines: String = "") throws -> String {
        let configuration = try configuration(isOpen: isOpen, adding: lines)
        var rehearsal = Rehearsal(configuration, start: try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z")))
        var record = RehearsalRecord(value: Array(item.utf8))
        record.source = "wire"
        rehearsal.receive(record)
        rehearsal.finish()
        let result = try #require(rehearsal.records.last)
        guard let verdict = (result.last ?? result.first)?.verdict else { return "no outcome" }
        guard verdict.outcome == .sent else {
            return [verdict.reason, verdict.detail].compactMap(\.self).joined(separator: " ")
        }
        let telling = try #require(result.telling)
        let categories = Set(telling.sends.flatMap(\.categories)).sorted().joined(separator: ",")
        return "\(categories): \(telling.texts.first { $0.locale == "en" }?.headline ?? "")"
    }

    @Test(arguments: ProviderItem.all)
    private func `an item is sent or is not for push`(_ item: ProviderItem) throws {
        #expect(try Self.outcome(of: item.text, isOpen: false) == item.outcome)
    }

    @Test(arguments: ProviderItem.all)
    private func `without a filter an item is sent unless it is not news`(_ item: ProviderItem) throws {
        #expect(try Self.outcome(of: item.text, isOpen: true) == item.openOutcome)
    }

    @Test func `most items are news`() {
        #expect(ProviderItem.all.count >= 48)
        #expect(ProviderItem.all.count { $0.openOutcome.contains("Words") } >= 36)
        #expect(Set(ProviderItem.all.map(\.name)).count == ProviderItem.all.count)
    }

    @Test(arguments: ProviderItem.settings)
    private func `an item that needs a setting is sent with it`(_ item: ProviderItem.WithSetting) throws {
        #expect(try Self.outcome(of: item.text, isOpen: true).hasPrefix(item.without))
        #expect(try Self.outcome(of: item.text, isOpen: true, adding: item.setting) == item.outcome)
    }
}
