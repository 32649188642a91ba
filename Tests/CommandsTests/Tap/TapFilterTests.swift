import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TapFilterTests {
    private static let at = Timestamp(seconds: 1_772_442_000)

    private static func record() -> OutcomeRecord {
        let event = NewsEvent(
            id: "e",
            source: "urn:desk",
            story: "s\u{1B}[2J",
            revision: 2,
            kind: .flash,
            published: at,
            categories: ["medtop:16000000"]
        )
        let origin = RecordOrigin(partition: TopicPartition(topic: "news", partition: 0), offset: 4)
        let verdict = EventVerdict(.partial, "partial.hub_removed")
        var record = OutcomeRecord(of: event, verdict: verdict, origin: origin, config: "c", at: at)
        var report = OutcomeRecord.Report()
        report.status = .accepted
        var request = OutcomeRecord.Request(hub: "main", platform: "template", tags: "(World || Sport) && en")
        request.locale = "en"
        record.targets = [OutcomeRecord.Target(request, report), OutcomeRecord.Target(request)]
        return record
    }

    private static let filters: [(TapFilter, Bool)] = [
        (TapFilter(), true),
        (TapFilter(kind: .flash), true), (TapFilter(kind: .alert), false),
        (TapFilter(outcome: "partial"), true), (TapFilter(outcome: "partial.hub"), true),
        (TapFilter(outcome: "partial.refused"), false), (TapFilter(outcome: "sent"), false),
        (TapFilter(source: .topic("news")), true), (TapFilter(source: .topic("wire")), false),
        (TapFilter(source: .uri("urn:desk")), true), (TapFilter(source: .uri("urn:wire")), false),
        (TapFilter(category: "medtop:16000000"), true), (TapFilter(category: "world"), true),
        (TapFilter(category: "MEDTOP:16000000"), true), (TapFilter(category: "WORLD"), true),
        (TapFilter(category: "en"), true), (TapFilter(category: "Wor"), false),
        (TapFilter(kind: .flash, outcome: "partial", source: .topic("news"), category: "sport"), true),
        (TapFilter(kind: .flash, outcome: "partial", source: .topic("news"), category: "politics"), false),
    ]

    @Test(arguments: filters.indices)
    func `an outcome is shown if it meets every condition`(_ index: Int) {
        let (filter, isShown) = Self.filters[index]
        #expect(filter.matches(Self.record()) == isShown)
    }

    @Test func `a source is a name of the configuration or the source in the events`() throws {
        let sources = try ConfigurationReader(environment: [:])
            .read(text: SampleNewsroom.yaml + "\nsources: { desk: { topic: news } }\n", source: "a").configuration
            .sources
        #expect(TapFilter.Source("desk", among: sources) == .topic("news"))
        #expect(TapFilter.Source("urn:desk", among: sources) == .uri("urn:desk"))
    }

    @Test func `a line has time, outcome, kind, story, source and audiences, and cannot steer a terminal`() {
        #expect(
            TapLine(Self.record()).text.harmless
                == "2026-03-02T09:00:00.000Z  partial.hub_removed  flash  s\\u001b[2J  from urn:desk  1 of 2: main "
                + "(World || Sport) && en (en), main (World || Sport) && en (en)"
        )
    }

    @Test(
        arguments: [
            (60, ["partial.hub_removed  flash", "    s\\u001b[2J  from urn:desk  1 of 2: main (World || Sport)"]),
            (
                80,
                [
                    "partial.hub_removed  flash",
                    "    s\\u001b[2J  from urn:desk  1 of 2: main (World || Sport) && en (en), main",
                ]
            ),
            (
                140,
                [
                    "partial.hub_removed  flash       s\\u001b[2J  from urn:desk  1 of 2: main (World || Sport) && en (en), "
                        + "main (World",
                    String(repeating: " ", count: 59) + "|| Sport) && en (en)",
                ]
            ),
        ] as [(Int, [String])]
    )
    func `on a terminal the audiences continue on lines of their own`(width: Int, beginnings: [String]) {
        let lines = TapLine(Self.record()).lines(
            ScreenStyle(isTerminal: true, size: (width, 24), environment: ["TERM": "dumb"])
        )
        #expect(lines.count >= 2 && lines.allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines[0].dropFirst(26) == beginnings[0])
        #expect(lines[1].hasPrefix(beginnings[1]), "\(lines)")
        #expect(TapLine(Self.record()).lines(.plain) == [TapLine(Self.record()).text.harmless])
        let coloured = TapLine(Self.record()).lines(ScreenStyle(isTerminal: true, size: (80, 24), environment: [:]))
        #expect(coloured[0].contains("\u{1B}[1mpartial.hub_removed\u{1B}[0m  flash"))
    }

    @Test(arguments: ["fialed", "suppresed.killed", ""])
    func `an unknown outcome is refused with the list of outcomes`(_ text: String) {
        let error = #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(["tap", "--outcome", text]) }
        #expect(error?.message.contains("suppressed") == true)
    }

    @Test func `outcomes without an event or a story refers to tap`() {
        let error = #expect(throws: UsageError.self) { try Newsflash.parseAsRoot(["outcomes", "--since", "1h"]) }
        #expect(error?.message.contains("newsflash tap --since") == true)
    }
}
