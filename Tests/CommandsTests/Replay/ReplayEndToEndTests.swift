import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash replay` against Kafka, workers and a hub.
@Suite(.timeLimit(.minutes(10)))
struct ReplayEndToEndTests {
    private typealias Rules = ReplayNewsroom.Rules

    /// Returns events of five sorts in turn; under other rules four of them differ.
    private static func events(_ count: Int) -> [NewsEvent] {
        (0..<count).map { number in
            switch number % 5 {
            case 0: ReplayNewsroom.event("same-\(number)", "world")
            case 1: ReplayNewsroom.event("audience-\(number)", "sports")
            case 2: ReplayNewsroom.event("gained-\(number)", "politics")
            case 3: ReplayNewsroom.event("lost-\(number)", "weather")
            default: ReplayNewsroom.event("words-\(number)", "world", kind: .update)
            }
        }
    }

    private static func expected(_ events: [NewsEvent]) -> Set<String> {
        Set(events.map { "\($0.id.prefix { $0 != "-" }) \($0.id)" }.filter { !$0.hasPrefix("same") })
    }

    /// Returns the difference of each event, for example `lost lost-3`.
    private static func found(_ lines: [String]) throws -> [String] {
        try lines.filter { $0.hasPrefix("{") }.map { try JSONReader.read(Array($0.utf8)) }
            .compactMap { line in
                line[member: "event"]?.string.map { "\(line[member: "difference"]?.string ?? "") \($0)" }
            }
    }

    @Test(arguments: [isLongRun && KafkaTestCluster.isReal ? 5000 : 400])
    func `exactly the events that differ are shown, and sent to the given tag only`(_ count: Int) async throws {
        let events = Self.events(count)
        let expected = Self.expected(events)
        try await ReplayNewsroom.open(partitions: 2) { newsroom in
            try await newsroom.publish(events)
            try await newsroom.withOutcomes { outcomes in
                try await newsroom.withWorker(.before) { _ in
                    _ = try await outcomes.outcomes(count)
                }
                let told = newsroom.hub.pushes.count
                #expect(told == count)

                // Under the same rules nothing differs; under the others exactly these events do.
                let same = try await newsroom.replay(["--since", "1h"], by: .before)
                #expect(same.status == 0)
                #expect(same.lines.contains("\(count) events, \(count) the same, none differ"))
                let shadow = try await newsroom.replay(["--since", "1h", "--json"], by: .after)
                #expect(shadow.status == 1)
                let found = try Self.found(shadow.lines)
                #expect(Set(found) == expected)
                #expect(found.count == expected.count)

                // Nothing was sent.
                #expect(newsroom.hub.pushes.count == told)
                #expect(try await newsroom.countOfRecords() == count)

                try await Self.sendKilled(in: newsroom, events, expected)
                try await Self.workKilled(in: newsroom, outcomes, expected, told: told)

                // No subscriber was notified, so the same events differ as before.
                let again = try await newsroom.replay(["--since", "1h", "--json"], by: .after)
                #expect(Set(try Self.found(again.lines)) == expected)
            }
        }
    }

    /// Kills the command while it writes, and runs it again.
    private static func sendKilled(
        in newsroom: ReplayNewsroom,
        _ events: [NewsEvent],
        _ expected: Set<String>
    ) async throws {
        let sendable = expected.filter { !$0.hasPrefix("lost") }.count
        let words = ["--since", "1h", "--send", "--only-tag", "test", "--reason", "a tag has another name", "--yes"]
        // At least ten seconds for all: on a slow machine, too, it is killed before it ends.
        let first = try await newsroom.startReplay(words + ["--rate", "\(max(2, sendable / 20))"], by: .after)
        try await waitUntil { try await newsroom.countOfRecords() >= events.count + max(1, sendable / 10) }
        first.signal(SIGKILL)
        #expect(try await first.waitForEnd() == 128 + SIGKILL)
        let written = try await newsroom.countOfRecords() - events.count
        #expect(written < sendable)

        let second = try await newsroom.replay(words + ["--rate", "10000"], by: .after)
        #expect(second.status == 0)
        #expect(second.lines.contains { $0.hasSuffix("skipped: written by an earlier run with this id") })
        let third = try await newsroom.replay(words, by: .after)
        #expect(third.lines.contains("everything is written already"))
        let copies = try await newsroom.records().filter { $0.value == nil }
        #expect(copies.count == sendable)
        let places = copies.map { message in
            message.headers.filter { $0.name == "newsflash-replay-of" }.map {
                String(decoding: $0.value ?? [], as: UTF8.self)
            }
        }
        #expect(Set(places).count == sendable)
    }

    /// Kills the worker while it sends the replayed events, and starts another.
    private static func workKilled(
        in newsroom: ReplayNewsroom,
        _ outcomes: ConsumerRecorder,
        _ expected: Set<String>,
        told: Int
    ) async throws {
        let meant = Set(expected.filter { !$0.hasPrefix("lost") }.map { String($0.drop { $0 != " " }.dropFirst()) })
        let first = try await newsroom.startWorker(.after)
        _ = await newsroom.hub.waitForPushes(count: told + meant.count / 3)
        first.signal(SIGKILL)
        #expect(try await first.waitForEnd() == 128 + SIGKILL)
        try await newsroom.withWorker(.after) { _ in
            let ended = try await outcomes.outcomes(meant.count) { $0.replay != nil }
            #expect(Set(ended.map(\.event)) == meant)
            #expect(ended.allSatisfy { $0.verdict.outcome == .sent && $0.replay?.onlyTag == "test" })
        }
        let pushes = newsroom.hub.pushes.dropFirst(told)
        #expect(Set(pushes.map { $0.expression?.description ?? "nobody" }) == ["test"])
        #expect(Set(pushes.map(\.event)) == meant)
        // A crash repeats only the requests that the hub had accepted and the ledger did not contain.
        let doubles = pushes.count - meant.count
        #expect(doubles <= PublishingConfiguration().exposureLimit.total, "\(doubles) doubles")
    }

    @Test func `without a tag subscribers are sent what they missed, once`() async throws {
        var events = [ReplayNewsroom.event("told", "world"), ReplayNewsroom.event("untold", "health")]
        events.append(ReplayNewsroom.event("moved", "sports"))
        let mended = Rules(categories: "World: [world], Sport: [sports], Health: [health]")
        try await ReplayNewsroom.open { newsroom in
            try await newsroom.publish(events)
            try await newsroom.withOutcomes { outcomes in
                try await newsroom.withWorker(.before) { _ in _ = try await outcomes.outcomes(3) }
                let shadow = try await newsroom.replay(["--since", "1h", "--json"], by: mended)
                #expect(Set(try Self.found(shadow.lines)) == ["gained untold", "audience moved"])
                let words = ["--since", "1h", "--send", "--reason", "health had no tag"]

                // Without a confirmation the plan is shown, and nothing more.
                let plan = try await newsroom.replay(words, by: mended)
                #expect(plan.status == 1)
                #expect(plan.lines.contains { $0.hasPrefix("replay ") && $0.contains("2 records to") })
                #expect(try await newsroom.countOfRecords() == 3)

                let sent = try await newsroom.replay(words + ["--yes", "--most", "1"], by: mended)
                #expect(sent.status == 0)
                #expect(sent.lines.contains { $0.contains("1 left: run the same command again") })
                _ = try await newsroom.replay(words + ["--yes"], by: mended)
                #expect(try await newsroom.countOfRecords() == 5)
                try await newsroom.withWorker(mended) { _ in
                    let ended = try await outcomes.outcomes(2) { $0.replay != nil }
                    let verdicts = Set(ended.map { "\($0.event): \($0.verdict.reason ?? $0.verdict.outcome.rawValue)" })
                    #expect(verdicts == ["untold: sent", "moved: duplicate.id"])
                }
                #expect(newsroom.hub.pushes.map(\.event).sorted() == ["moved", "told", "untold"])

                // Subscribers have them now, so they do not differ any more; the event that was not sent again does.
                let after = try await newsroom.replay(["--since", "1h", "--json"], by: mended)
                #expect(try Self.found(after.lines) == ["audience moved"])
            }
        }
    }

    @Test func `one story is sent again once, and no other`() async throws {
        try await ReplayNewsroom.open { newsroom in
            try await newsroom.publish([ReplayNewsroom.event("a", "world"), ReplayNewsroom.event("b", "world")])
            try await newsroom.withOutcomes { outcomes in
                try await newsroom.withWorker(.before) { _ in
                    _ = try await outcomes.outcomes(2)
                    let words = [
                        "--story", "story-of-a", "--send", "--again", "--reason", "phones were cut off", "--yes",
                    ]
                    for _ in 0..<2 { #expect(try await newsroom.replay(words, by: .before).status == 0) }
                    _ = try await outcomes.outcomes(1) { $0.replay?.isAgain == true }
                    #expect(try await newsroom.countOfRecords() == 3)
                }
                #expect(newsroom.hub.pushes.map(\.event).sorted() == ["a", "a", "b"])
            }
        }
    }

    @Test func `events that differ and cannot be sent end a replay with code 1`() async throws {
        let events = [ReplayNewsroom.event("same", "world"), ReplayNewsroom.event("lost", "sports")]
        let rules = Rules(categories: "World: [world]")
        try await ReplayNewsroom.open { newsroom in
            try await newsroom.publish(events)
            try await newsroom.withOutcomes { outcomes in
                try await newsroom.withWorker(.before) { _ in _ = try await outcomes.outcomes(2) }
            }
            let words = ["--since", "1h", "--send", "--reason", "sports is gone", "--yes"]
            let sent = try await newsroom.replay(words, by: rules)
            #expect(sent.status == 1, "\(sent.lines)")
            #expect(sent.lines.contains { $0.hasPrefix("nothing to send from ") }, "\(sent.lines)")
            #expect(try await newsroom.countOfRecords() == 2)
            // Without a difference nothing has to be sent.
            #expect(try await newsroom.replay(words, by: .before).status == 0)
        }
    }

    @Test func `a tag of subscribers is refused before anything is read`() async throws {
        try await ReplayNewsroom.open { newsroom in
            let words = ["--since", "1h", "--send", "--only-tag", "world", "--reason", "a mistake", "--yes"]
            let refused = try await newsroom.replay(words, by: .before)
            #expect(refused.status == 78)
            #expect(refused.lines.contains { $0.contains("'world' is a tag of subscribers") })
        }
    }
}
