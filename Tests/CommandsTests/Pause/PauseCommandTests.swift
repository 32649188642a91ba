import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The commands `pause`, `resume` and `pauses`, in addition to the table of ``PrintedSuccessTests``.
@Suite(.timeLimit(.minutes(4)))
struct PauseCommandTests {
    private static let desk = "https://cms.example.org/desk"

    private static func order(
        _ act: ControlRecord.Act,
        _ scope: PauseScope = .source(desk),
        by author: ControlRecord.Author = .person("ed:kim"),
        clock skew: Duration = .zero
    ) -> ControlRecord {
        ControlRecord(act, scope, by: author, reason: "before", at: .now() + skew)
    }

    @Test func `a pause without a worker applies as soon as one starts, and resume --all resumes the source`()
        async throws
    {
        try await PausedNewsroom.open { newsroom in
            let file = newsroom.watched.file
            let paused = try await newsroom.run(["pause", "--config", file, "--source", Self.desk, "--force"])
            #expect(paused.code == 0, "\(paused.lines)")
            #expect(paused.lines.first?.hasSuffix(": no reason given") == true, "\(paused.lines)")
            if KafkaTestCluster.isReal { #expect(paused.lines.last?.hasPrefix("no worker of group ") == true) }
            let list = try await newsroom.run(["pauses", "--config", file])
            #expect(list.code == 0)
            #expect(list.lines.first == paused.lines.first)
            let json = try await newsroom.run(["pauses", "--config", file, "--json"])
            #expect(json.lines.first?.contains(#""source":"https://cms.example.org/desk""#) == true)
            try await newsroom.watched.withWorkers { _ in
                let isSent = try await newsroom.sends("held")
                #expect(!isSent)
            }
            let resumed = try await newsroom.run(["resume", "--config", file, "--all", "--json", "--by", "ed:novak"])
            #expect(resumed.code == 0, "\(resumed.lines)")
            #expect(
                resumed.lines.count == 3,
                "an order for all, the source that was paused and the one of the configuration"
            )
            #expect(resumed.lines.allSatisfy { $0.contains(#""inForce":true"#) })
            let none = try await newsroom.run(["pauses", "--config", file])
            #expect(none.lines == ["nothing is paused"])
        }
    }

    @Test func `resume --event sends one event that waits for a person, and its source stays paused`() async throws {
        try await PausedNewsroom.open { newsroom in
            let watched = newsroom.watched
            let resume = ["resume", "--config", watched.file, "--event"]
            try await newsroom.write([Self.order(.pause)])
            var later = newsroom.news("n-later")
            later.embargo = .now() + .seconds(3600)
            later.source = "urn:other"
            try await watched.withWorkers { _ in
                for event in [newsroom.news("n-one"), newsroom.news("n-two"), later] {
                    let hasEnded = try await newsroom.publish(event)
                    #expect(!hasEnded, "\(event.id)")
                }
            }
            let unknown = try await newsroom.run(resume + ["n-three"])
            #expect(unknown.code == 1)
            let embargoed = try await newsroom.run(resume + ["n-later"])
            #expect(embargoed.code == 1)
            let resumed = try await newsroom.run(resume + ["n-one"])
            #expect(resumed.code == 0, "\(resumed.lines)")
            let line = try #require(resumed.lines.first)
            #expect(line.hasPrefix("event n-one of story story-of-n-one: resumed at "), "\(line)")
            let waiting = try await newsroom.run(["status", "--waiting", "--json", "--config", watched.file])
            #expect(waiting.lines.count { $0.contains(#""resumed":true"#) } == 1, "\(waiting.lines)")
            try await watched.withWorkers { _ in
                try await watched.log.wait { log in
                    log.contains { $0.message == "an event ended" && "\($0.metadata)".contains("n-one") } ? () : nil
                }
            }
            #expect(newsroom.pushes(of: "story-of-n-one") == ["flash"])
            #expect(newsroom.pushes(of: "story-of-n-two").isEmpty)
            #expect(newsroom.pushes(of: "story-of-n-later").isEmpty)
            let pauses = try await newsroom.run(["pauses", "--config", watched.file])
            #expect(pauses.lines.count == 1, "\(pauses.lines)")
        }
    }

    @Test func `only events that wait for a person can be resumed, and the error says why`() throws {
        func event(_ id: String, _ reason: StoryFacts.WaitReason) -> WaitingEvent {
            let waiting = StoryFacts.Waiting(
                offset: 7,
                timestamp: nil,
                consumedAt: .now(),
                until: nil,
                reason: reason,
                attempts: 0,
                key: nil,
                value: []
            )
            let place = TopicPartition(topic: "news", partition: 0)
            let news = NewsEvent(
                id: id,
                source: "desk",
                story: "s",
                revision: 1,
                kind: .alert,
                published: .now(),
                categories: [],
                language: "en",
                text: []
            )
            return WaitingEvent(partition: place, story: "s", event: news, waiting: waiting)
        }
        let events = WaitingEvents(listing: [
            event("paused", .pause), event("limited", .volumeLimit), event("dropped", .embargoDropped),
            event("quiet", .quietHours),
        ])
        for id in ["paused", "limited", "dropped"] {
            #expect(try events.resumable(id).map(\.scope.event?.id) == [id])
        }
        let quiet = try #require(throws: OperationError.self) { try events.resumable("quiet") }
        #expect(quiet.description.hasSuffix("It waits for the end of the quiet hours of its subscribers"), "\(quiet)")
        let unknown = try #require(throws: OperationError.self) { try events.resumable("other") }
        #expect(unknown.description.contains("no event other waits in the ledgers"), "\(unknown)")
        #expect(unknown.kind == .foundProblems && quiet.kind == .foundProblems)
    }

    @Test func `resuming one source prints the sources that are still paused`() async throws {
        try await PausedNewsroom.open { newsroom in
            let watched = newsroom.watched
            let outcomes = watched.configuration.topics.outcomes
            let text = try String(contentsOfFile: watched.file, encoding: .utf8)
            try watched.folder.write(text.replacing(outcomes, with: "missing-\(outcomes)"), to: "blind.yaml")
            let resume = ["resume", "--source", "desk", "--config", watched.folder.file("blind.yaml")]
            try await newsroom.write([
                Self.order(.pause, .topic(watched.configuration.source.topic)),
                Self.order(.pause, .source("urn:other")),
            ])
            // Without the outcomes nobody knows whether the source of the order is one of the desk's.
            let resumed = try await newsroom.run(resume)
            #expect(resumed.code == 0, "\(resumed.lines)")
            let paused = resumed.lines.filter { $0.hasPrefix("still paused: ") }
            #expect(paused.count == 1, "\(resumed.lines)")
            #expect(paused.first?.hasPrefix("still paused: urn:other: paused since ") == true, "\(paused)")
            let note = "note: the sources of recent events are not known: "
            #expect(resumed.lines.contains { $0.hasPrefix(note) && $0.contains("missing-\(outcomes)") })
            let all = try await newsroom.run(["resume", "--all", "--config", watched.file])
            #expect(!all.lines.contains { $0.hasPrefix("still paused") }, "\(all.lines)")
        }
    }

    @Test func `a command that a later one replaced is not in force`() {
        var holds = SourcePauses()
        let pause = Self.order(.pause)
        holds.apply(pause, at: 1)
        #expect(result(pause, holds).isInForce)
        holds.apply(Self.order(.resume), at: 2)
        let lost = result(pause, holds)
        #expect(!lost.isInForce)
        #expect(lost.problem.contains("somebody resumed it after this order"))
        holds.apply(Self.order(.pause), at: 3)
        let resume = Self.order(.resume)
        let late = result(resume, holds)
        #expect(late.problem.contains("see who paused it after this order"))
        #expect(String(decoding: late.json(workers: 2), as: UTF8.self).contains(#""inForce":false,"pausedBy":{"v":1"#))
    }

    private func result(_ order: ControlRecord, _ holds: SourcePauses) -> PauseResult {
        PauseResult(order: order, paused: holds.pauses(on: order.scope), scope: order.scope.name([]))
    }

    @Test func `a pause for all pauses each source and is not shown twice`() {
        var holds = SourcePauses()
        holds.apply(Self.order(.pause, .all), at: 1)
        #expect(holds.pauses(on: .source(Self.desk)).map(\.scope) == [.all])
        #expect(holds.pauses(on: .all).count == 1)
    }

    @Test func `a reason from others cannot steer the terminal`() async throws {
        try await PausedNewsroom.open { newsroom in
            var order = Self.order(.pause)
            order.reason = "look\u{1B}[2J\nforged line"
            try await newsroom.write([order])
            let list = try await newsroom.run(["pauses", "--config", newsroom.watched.file])
            #expect(list.lines.count == 1)
            #expect(list.lines.first?.contains("\u{1B}") == false)
        }
    }

    @Test(arguments: [
        ["pause"], ["pause", "--all", "--source", "desk"], ["resume", "--source", ""], ["hold", "--all"],
    ])
    func `a command without a source is refused`(words: [String]) async {
        let code = await Newsflash.main(words, output: { _ in }, errors: { _ in })
        #expect(code == .validationFailure)
    }
}
