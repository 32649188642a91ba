import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRouting
import NewsflashStrictJSON
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashWorker

/// One story in every envelope and format of `Tests/Data/adapters`, each in a topic of its source's format.
@Suite(.timeLimit(.minutes(4)))
struct AdapterFilesTests {
    @Test func `every adapter file is the expected event, and subscribers get the same notification`()
        async throws
    {
        #expect(Set(AdapterTopic.all.flatMap(\.files)) == Set(try AdapterTopic.filesOfTheFolder()))
        let expected = try ExpectedEvents()
        try await Newsroom.open { newsroom in
            let topics = AdapterTopic.all
            var sources: [SourceSettings] = []
            for topic in topics { sources.append(try await topic.source(in: newsroom)) }
            var configuration = try Self.configuration(of: newsroom)
            configuration.sources = sources
            try await newsroom.withWorker(configuration) { worker in
                // A kill that is published with its update overtakes it, and then nobody was notified.
                var written = 0
                for kind in [EventKind.update, .kill] {
                    let records = try zip(topics, sources).flatMap { try $0.records(kind, for: $1.topic) }
                    try await newsroom.cluster.write(records)
                    written += records.count
                    _ = try await newsroom.finalOutcomes(written)
                }
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.deadLetters.isEmpty)
            for (topic, source) in zip(topics, sources) {
                let outcomes = newsroom.outcomes.filter { $0.topic == source.topic }.sorted { $0.offset < $1.offset }
                #expect(outcomes.count == topic.files.count, "\(topic.name)")
                for (file, outcome) in zip(topic.files, outcomes) {
                    let event = expected.event(of: file)
                    #expect(outcome.reason ?? outcome.outcome == "sent", "\(file)")
                    #expect(outcome.targets.map(\.status) == ["accepted"], "\(file)")
                    #expect(
                        outcome.warnings == (AdapterTopic.withMore.contains(file) ? ["category.unknown"] : []),
                        "\(file)"
                    )
                    #expect(
                        [outcome.event, outcome.story, "\(outcome.revision)", outcome.kind]
                            == [event.id, event.story, "\(event.revision)", event.kind.rawValue],
                        "\(file)"
                    )
                }
            }
            try expect(newsroom.hub.pushes, areThoseOf: topics.flatMap(\.files), by: expected)
        }
    }

    /// Compares the accepted requests with the expected ones.
    private func expect(_ pushes: [SendRecord], areThoseOf files: [String], by expected: ExpectedEvents) throws {
        #expect(pushes.count == files.count)
        #expect(pushes.allSatisfy { $0.expression?.description == "World" })
        for kind in [EventKind.update, .kill] {
            let files = files.filter { (expected.event(of: $0).kind == .kill) == (kind == .kill) }
            let pushes = pushes.filter { ($0.property("kind") == "kill") == (kind == .kill) }
            #expect(
                pushes.compactMap { $0.property("id") }.sorted() == files.map { expected.event(of: $0).id }.sorted()
            )
            // The words are the same in every format.
            let headline = (kind == .kill ? "Withdrawn: " : "") + "Orsen dam spills over, valley evacuated"
            #expect(pushes.allSatisfy { $0.property("headline") == headline }, "\(kind)")
            // Files without a difference give the same notification, byte for byte.
            for id in Set(files.map { expected.event(of: $0).id }) {
                let whole = files.filter { expected.event(of: $0).id == id && !AdapterTopic.different.contains($0) }
                let kinds = Dictionary(grouping: whole) { expected.event(of: $0).kind }.mapValues(\.count)
                let words = try pushes.filter { $0.property("id") == id }.map { try $0.lastingMembers }
                let same = words.map { one in words.count { $0 == one } }.max()
                #expect(whole.isEmpty || same == kinds.values.max(), "\(id)")
            }
        }
    }

    /// The newsroom's configuration with the categories of the story, in which long past times have no effect.
    private static func configuration(of newsroom: Newsroom) throws -> WorkerConfiguration {
        var configuration = newsroom.configuration
        let codes = ["medtop:20000151", "medtop:11000000", "http://cv.ap.org/id/aaaa"]
        configuration.news.categories = try CategoryMap(rules: [CategoryRule(name: "World", codes: codes)])
        configuration.publishing.policy.life[.kill] = .seconds(36_500 * 86_400)
        return configuration
    }
}

extension SendRecord {
    /// The members of the notification, except the remaining time.
    fileprivate var lastingMembers: [JSONMember] {
        get throws { try #require(try JSONReader.read(body).object).filter { $0.name != "ttl" } }
    }
}
