import NewsflashEvents
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A comparison of what subscribers were sent with what they would be sent now.
@Suite(.timeLimit(.minutes(1)))
struct ReplayComparisonTests {
    private static let start = Timestamp(seconds: 1_772_438_400)

    private static func configuration(_ categories: String = "World: [world], Sports: [sport]") throws
        -> WorkerConfiguration
    {
        let yaml = """
            version: 1
            hub: newsroom
            locales: { offered: [en], default: en }
            categories: { \(categories) }
            text: { correction: "Correction: {headline}", kill: "Withdrawn: {headline}" }
            """
        return try ConfigurationReader(environment: [:]).read(text: yaml, source: "news.yaml").configuration
    }

    private static func record(
        _ id: String,
        story: String? = nil,
        revision: Int64 = 1,
        kind: EventKind = .alert,
        category: String = "world",
        offset: Int64 = 0,
        seconds: Int64 = 0
    ) -> ReplayRecord {
        let event = NewsEvent(
            id: id,
            source: "urn:desk",
            story: story ?? "story-of-\(id)",
            revision: revision,
            kind: kind,
            published: start + .seconds(seconds),
            categories: [category],
            text: [EventText(language: "en", headline: "Headline of \(id)")]
        )
        return ReplayRecord(
            partition: 0,
            offset: offset,
            timestamp: start + .seconds(seconds),
            key: Array(event.story.utf8),
            value: EventEncoder.encode(event),
            headers: [],
            event: event
        )
    }

    /// Returns the outcomes of a worker with a configuration.
    private static func outcomes(
        _ records: [ReplayRecord],
        by configuration: WorkerConfiguration
    ) throws -> [OutcomeRecord] {
        var rehearsal = Rehearsal(configuration, start: start)
        let taken = records.map { rehearsal.receiveAtOwnTime($0.rehearsal) }
        // The outcomes as read from the topic.
        return try zip(records, taken).compactMap { record, result in
            guard var outcome = result.last else { return nil }
            outcome.origin.offset = record.offset
            return try OutcomeRecordReader.read(outcome.json.span)
        }
    }

    private static func findings(
        _ records: [ReplayRecord],
        _ outcomes: [OutcomeRecord],
        remembering memory: [ReplayRecord] = [],
        by configuration: WorkerConfiguration
    ) -> [ReplayFinding] {
        ReplayComparison(outcomes).findings(on: records, remembering: memory, by: configuration, now: start)
    }

    private static func kinds(_ findings: [ReplayFinding]) -> [String] {
        findings.map { finding in
            switch finding.result {
            case .compared(let difference): "\(finding.record.event.id): \(difference.kind.rawValue)"
            case .unknown: "\(finding.record.event.id): unknown"
            case .overtaken: "\(finding.record.event.id): overtaken"
            }
        }
    }

    @Test func `under the same rules nothing differs, whatever the outcome`() throws {
        let records = [
            Self.record("a"), Self.record("b", category: "nowhere", offset: 1), Self.record("a", offset: 2),
            Self.record("c", story: "story-of-a", revision: 2, kind: .correction, category: "sport", offset: 3),
            Self.record("d", story: "story-of-a", revision: 3, kind: .kill, offset: 4),
        ]
        let configuration = try Self.configuration()
        let findings = Self.findings(records, try Self.outcomes(records, by: configuration), by: configuration)
        #expect(Self.kinds(findings) == ["a: same", "b: same", "c: same", "d: same"])
        #expect(ReplayTotals(findings).line == "4 events, 4 the same, none differ")
    }

    @Test func `other rules make a difference to the events that they concern`() throws {
        let records = [
            Self.record("a"), Self.record("b", category: "sport", offset: 1),
            Self.record("c", category: "health", offset: 2),
        ]
        let told = try Self.outcomes(records, by: try Self.configuration())
        let findings = Self.findings(records, told, by: try Self.configuration("World: [world], Health: [health]"))
        #expect(Self.kinds(findings) == ["a: same", "b: lost", "c: gained"])
        #expect(findings.map(\.wouldBeSent) == [true, false, true])
        #expect(findings[1].lines[1] == "    no longer notified: main, template: Sports")
        #expect(ReplayTotals(findings).line == "3 events, 1 the same, 2 differ (lost 1, gained 1)")
    }

    @Test func `events that would not be sent now are grouped by reason, with three samples each`() throws {
        let records = (0..<7).map {
            Self.record("e\($0)", category: $0 == 6 ? "health" : $0 == 5 ? "world" : "sport", offset: Int64($0))
        }
        let before = try Self.configuration("World: [world], Sports: [sport], Health: [health]")
        let told = try Self.outcomes(records, by: before)
        let findings = Self.findings(records, told, by: try Self.configuration("Globe: [world]"))
        let lines = ReplayList(findings).lines
        let audience = try #require(lines.first)
        #expect(audience.hasPrefix("audience  0@5  "), "\(lines)")
        let heading = try #require(lines.firstIndex(of: "now invalid.unmapped: 6 events"))
        let samples = lines[(heading + 1)...].filter { $0.hasPrefix("  lost  ") }
        #expect(samples.map { $0.prefix(11) } == ["  lost  0@0", "  lost  0@1", "  lost  0@2"])
        #expect(lines.contains("      no longer notified: main, template: Sports"))
        #expect(lines.last == "  and 3 more; --json lists all")
        // A single event needs no group.
        let single = ReplayList(Array(findings.suffix(1))).lines
        #expect(single == findings.last?.lines)
        #expect(ReplayList([]).lines.isEmpty)
    }

    @Test func `an event without an outcome is not compared`() throws {
        let configuration = try Self.configuration()
        let findings = Self.findings([Self.record("a")], [], by: configuration)
        #expect(Self.kinds(findings) == ["a: unknown"])
        #expect(findings[0].lines.isEmpty)
    }

    @Test func `an event that was sent securely stays secure if it would not be sent now`() throws {
        let records = [Self.record("a", category: "sport")]
        var told = try Self.outcomes(records, by: try Self.configuration())
        let present = try Self.configuration("World: [world]")
        #expect(Self.findings(records, told, by: present).map(\.isSecure) == [false])
        told[0].isSecure = true
        let findings = Self.findings(records, told, by: present)
        #expect(findings.map(\.wouldBeSent) == [false])
        #expect(findings.map(\.isSecure) == [true])
        #expect(Self.findings(records, [], by: present).map(\.isSecure) == [false])
    }

    @Test func `an event that its own story superseded is not compared`() throws {
        let configuration = try Self.configuration()
        let records = [Self.record("a"), Self.record("b", offset: 1)]
        var told = try Self.outcomes(records, by: configuration)
        for index in told.indices { told[index].targets = [] }
        told[0].verdict = EventVerdict(.superseded, "superseded.revision")
        told[1].verdict = EventVerdict(.expired, "expired.ttl")
        #expect(Self.kinds(Self.findings(records, told, by: configuration)) == ["a: overtaken", "b: gained"])
    }

    @Test func `a correction finds its audiences although its story began earlier`() throws {
        let configuration = try Self.configuration()
        let first = Self.record("a", category: "sport")
        let correction = Self.record("b", story: "story-of-a", revision: 2, kind: .correction, offset: 1, seconds: 9)
        let told = try Self.outcomes([first, correction], by: configuration)
        #expect(told.last?.targets.map(\.request.tags) == ["Sports"])
        let whole = Self.findings([correction], told, remembering: [first], by: configuration)
        #expect(Self.kinds(whole) == ["b: same"])
        // Without the beginning of its story it would go to its own categories.
        #expect(Self.kinds(Self.findings([correction], told, by: configuration)) == ["b: audience"])
    }

    @Test func `a record that came twice or was redriven is compared once`() throws {
        let configuration = try Self.configuration()
        let records = [
            Self.record("a", category: "sport"), Self.record("a", category: "sport", offset: 9, seconds: 60),
        ]
        // The first attempt found no tag; the redriven copy did.
        var told = try Self.outcomes([records[0]], by: try Self.configuration("World: [world]"))
        told += try Self.outcomes([records[1]], by: configuration)
        #expect(told.map(\.verdict.outcome) == [.invalid, .sent])
        #expect(Self.kinds(Self.findings(records, told, by: configuration)) == ["a: same"])
    }

    @Test func `events sent to testers only do not count as sent to subscribers`() throws {
        let configuration = try Self.configuration()
        let records = [Self.record("a", category: "sport")]
        var told = try Self.outcomes(records, by: try Self.configuration("World: [world]"))
        var test = try Self.outcomes(records, by: configuration)
        test[0].replay = ReplayMark(id: "fix-1", partition: 0, offset: 0, onlyTag: "test", at: Self.start)
        told += test
        #expect(Self.kinds(Self.findings(records, told, by: configuration)) == ["a: gained"])
    }

    @Test func `only events that would be sent are in the plan, once each`() throws {
        let records = (0..<4).map { Self.record("e\($0)", category: $0 == 3 ? "world" : "sport", offset: Int64($0)) }
        let told = try Self.outcomes(records, by: try Self.configuration())
        let findings = Self.findings(
            records,
            told,
            by: try Self.configuration("Sport: [sport], Other: [world]")
        )
        var plan = ReplayPlan(
            id: "fix-1",
            reason: "a tag has another name",
            onlyTag: "test",
            isAgain: false,
            at: Self.start,
            topic: "news"
        )
        plan.add(findings, includesSame: false)
        #expect(plan.entries.count == 4)
        plan.leaveOut(["0@1", "7@7"])
        #expect(plan.written == 1)
        let sent = plan.records(plan.entries[...])
        #expect(sent.map(\.partition) == [0, 0, 0])
        #expect(sent.allSatisfy { $0.value == nil && $0.key != nil })
        let decoder = EventDecoder(defaultSource: "urn:desk")
        let read = sent.map { record in
            let headers = record.headers.map { EventHeader(name: $0.name, value: $0.value) }
            return decoder.decode(value: nil, headers: headers)
        }
        for (outcome, record) in zip(read, [records[0], records[2], records[3]]) {
            guard case .event(let event, _) = outcome else {
                Issue.record("it is not an event")
                continue
            }
            #expect(event.id == record.event.id)
            #expect(event.replay?.onlyTag == "test")
            #expect(event.replay?.offset == record.offset)
        }
    }

    @Test(
        arguments: [
            ("3@48120..48200", 3, 48_120, 48_200), ("0@7", 0, 7, 7), ("3@5..4", -1, 0, 0), ("3", -1, 0, 0),
            ("-1@4", -1, 0, 0), ("3@-4..5", -1, 0, 0), ("3@1..2..3", -1, 0, 0), ("3@1..9223372036854775807", -1, 0, 0),
        ] as [(String, Int32, Int64, Int64)]
    )
    func `a range of offsets is parsed completely or refused`(
        _ text: String,
        _ partition: Int32,
        _ first: Int64,
        _ last: Int64
    ) {
        let range = ReplayRange(argument: text)
        guard partition >= 0 else {
            #expect(range == nil)
            return
        }
        #expect(range?.partition == partition)
        #expect(range?.offsets == first...max(first, last))
    }

    @Test func `records have the order in which a worker would have read them`() {
        let late = Self.record("late", offset: 5, seconds: 90)
        // Its producer's clock was behind, but its offset comes after the previous record's.
        let behind = Self.record("behind", offset: 6, seconds: 10)
        var other = Self.record("other", offset: 0, seconds: 50)
        other.partition = 1
        #expect([behind, other, late].inOrderOfReading.map(\.event.id) == ["other", "late", "behind"])
    }
}
