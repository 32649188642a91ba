import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

@testable import NewsflashPublishing
@testable import NewsflashWorker

/// Records of stories that are read again. A missing record makes its story new, so no error may look like that.
@Suite(.timeLimit(.minutes(4)))
struct RecordRecallTests {
    /// A ledger, the stories that were read again, and the log.
    private struct Stage {
        let mock: MockCluster
        let cluster: KafkaTestCluster
        let ledger: String
        private let inbox = PublishingInbox()
        let log = EventLog<LogEntry>()
        let recall: RecordRecall

        init(ignoresDamage: Bool = false) async throws {
            mock = try MockCluster(brokers: 1)
            cluster = KafkaTestCluster(of: mock)
            ledger = try await cluster.makeTopic(isCompacted: true)
            let context = try WorkerContext(logger: Logger(label: "", handler: log), inbox: inbox) { [ledger] in
                $0.source.topic = "news"
                $0.source.ledger = ledger
                $0.ledger.ignoresDamage = ignoresDamage
            }
            recall = RecordRecall(context)
            recall.open(cluster.client())
        }

        func write(_ stories: String...) async throws {
            let facts = StoryFacts(
                revision: 1,
                eventID: "a",
                source: "desk",
                kind: .alert,
                digest: ContentDigest(value: 1),
                isFinal: true,
                changedAt: Timestamp(seconds: 1_772_440_800)
            )
            try await cluster.write(
                stories.map {
                    KafkaRecord(topic: ledger, key: Array($0.utf8), value: LedgerRecordCodec.encode(facts, of: $0))
                }
            )
        }

        /// Waits for the first stories that the publishing thread receives.
        func answers() async throws -> [String?] {
            try await waitFor {
                let stories = inbox.dequeue().arrivals.map { arrival in
                    if case .recalled(let record) = arrival { record.story } else { nil as String? }
                }
                return stories.isEmpty ? nil : stories
            }
        }

        func ask(for offset: Int64) {
            let order = RecallRequest(id: RecallID(UInt64(offset)), partition: PartitionID(0), place: .ledger(offset))
            recall.add(order, of: TopicPartition(topic: "news", partition: 0))
        }

        func logged(_ message: String) async throws {
            try await log.wait { $0.contains { $0.message.hasPrefix(message) } ? () : nil }
        }
    }

    @Test
    func `the story of a damaged record waits, and an error names the record's position`() async throws {
        let stage = try await Stage()
        try await stage.cluster.write([
            KafkaRecord(topic: stage.ledger, key: Array("quake".utf8), value: Array("{}".utf8))
        ])
        try await stage.write("storm")
        stage.ask(for: 0)
        stage.ask(for: 1)
        let answers = try await stage.answers()
        #expect(answers == ["storm"])
        let told = stage.log.events.filter { $0.level == .error }.map { "\($0.metadata["detail"] ?? "")" }
        #expect(told.count == 1 && told[0].contains("offset 0") && told[0].contains("ledger.damaged"), "\(told)")
        #expect(stage.log.events.contains { $0.metadata["remedy"] == "then restart the worker" })
    }

    @Test
    func `a damaged record counts as missing if the configuration ignores damage`() async throws {
        let stage = try await Stage(ignoresDamage: true)
        try await stage.cluster.write([
            KafkaRecord(topic: stage.ledger, key: Array("quake".utf8), value: Array("{}".utf8))
        ])
        stage.ask(for: 0)
        let answers = try await stage.answers()
        #expect(answers == [nil])
    }

    @Test
    func `a record that its leader does not return yet is waited for`() async throws {
        let stage = try await Stage()
        try await stage.write("quake")
        stage.ask(for: 1)
        try await stage.logged("a confirmed record is not visible yet")
        try await stage.write("storm")
        #expect(try await stage.answers() == ["storm"])
        await stage.recall.close()
    }

    @Test
    func `an error keeps a story waiting and answers nothing`() async throws {
        let stage = try await Stage()
        try await stage.write("quake")
        stage.mock.pushErrors([.topicAuthorizationFailed], to: .fetch)
        stage.ask(for: 0)
        try await stage.logged("a record cannot be read again")
        #expect(try await stage.answers() == ["quake"])
        await stage.recall.close()
    }

    @Test
    func `a record that has not been read for ten seconds is logged once`() async throws {
        let stage = try await Stage()
        stage.ask(for: 0)
        let start = Instant.now
        func told(after seconds: Int) -> Int {
            stage.recall.timePassed(now: start + .seconds(seconds))
            return stage.log.events.count { $0.message.hasPrefix("a record of a story was not read for ten seconds") }
        }
        #expect([0, 9, 10, 60].map(told) == [0, 0, 1, 1])
        try await stage.write("quake")
        #expect(try await stage.answers() == ["quake"])
        await stage.recall.close()
    }

    @Test
    func `a record that is no longer in its topic is reported as missing`() async throws {
        let stage = try await Stage()
        try await stage.write("quake")
        stage.mock.pushErrors([.offsetOutOfRange], to: .fetch)
        stage.ask(for: 0)
        #expect(try await stage.answers() == [nil])
        await stage.recall.close()
    }
}
