import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
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

/// Two groups whose configurations name the same topics: a copy of a file in which only the group was changed.
@Suite(.timeLimit(.minutes(2)))
struct ForeignGroupTests {
    @Test func `a worker refuses the ledger of another group, and nothing is lost`() async throws {
        try await WatchedNewsroom.open { newsroom in
            try await newsroom.withWorkers { _ in
                try await newsroom.publish(1, "before")
                try await waitUntil { newsroom.hub.pushes.count == 1 }
            }
            var copy = newsroom.configuration
            copy.group += "-shadow"
            var facts: [CheckFact] = []
            await KafkaCheckup(TopicSettings(copy), hubs: HubAddresses(copy)).run { facts.append($0) }
            let problem = try #require(facts.first { $0.code == .ledgerGroup })
            #expect(problem.status == .problem(.configuration))
            #expect(problem.message.contains("belongs to kafka.group '\(newsroom.configuration.group)'"))

            let log = EventLog<LogEntry>()
            let shadow = try await Worker.start(
                copy,
                logger: Logger(label: "shadow", level: .info, handler: log)
            )
            try await newsroom.publish(1, "after")
            try await log.wait { log in
                log.contains { "\($0.metadata)".contains("[ledger_group]") } ? () : nil
            }
            await shadow.stop()
            #expect(newsroom.hub.pushes.count == 1)
            try await newsroom.withWorkers { _ in try await waitUntil { newsroom.hub.pushes.count == 2 } }
            facts = []
            let settings = TopicSettings(newsroom.configuration)
            await KafkaCheckup(settings, hubs: HubAddresses(newsroom.configuration)).run { facts.append($0) }
            #expect(!facts.contains { $0.code == .ledgerGroup })
        }
    }

    @Test func `an outcome of another group is not shown and does not count as one of this group`() async throws {
        try await WatchedNewsroom.open { newsroom in
            let settings = TopicSettings(newsroom.configuration)
            let wait = OutcomeWait(settings)
            let beginning = try await wait.beginning()
            let groups = [newsroom.configuration.group + "-shadow", newsroom.configuration.group, nil]
            let topic = newsroom.configuration.source.topic
            let records = groups.enumerated().map { index, group in
                let origin = RecordOrigin(partition: TopicPartition(topic: topic, partition: 0), offset: Int64(index))
                let event = NewsEvent(
                    id: "e\(index)",
                    source: "urn:s",
                    story: "s",
                    revision: 1,
                    kind: .alert,
                    published: .now()
                )
                var record = OutcomeRecord(
                    of: event,
                    verdict: EventVerdict(.sent),
                    origin: origin,
                    config: "c",
                    at: .now()
                )
                record.group = group
                return KafkaRecord(topic: settings.topics.outcomes, value: record.json)
            }
            try await newsroom.cluster.write(records)

            let found = try await OutcomeStream(settings) { _ in true }.outcomes(from: .earliest, to: .present)
            #expect(Set(found.outcomes.map(\.record.event)) == ["e1", "e2"])
            #expect(found.noteOfOthers?.contains("1 outcome of other groups (\(groups[0] ?? ""))") == true)
            var any = settings
            any.isGroupKnown = false
            let all = try await OutcomeStream(any) { _ in true }.outcomes(from: .earliest, to: .present)
            #expect(all.outcomes.count == 3)

            let origins = (0..<3).map { offset in
                LaterOutcomes.Origin(
                    RecordOrigin(partition: TopicPartition(topic: topic, partition: 0), offset: Int64(offset))
                )
            }
            let awaited = try await wait.outcomes(of: Set(origins), from: beginning, within: .seconds(1)) { _ in true }
            #expect(Set(awaited.values.map(\.event)) == ["e1", "e2"])
        }
    }
}
