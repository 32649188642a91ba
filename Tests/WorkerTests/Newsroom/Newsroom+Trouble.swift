import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTopicPartitions
import NewsflashWorker

extension Newsroom {
    /// The brokers of a test's own cluster. Each has one part, so that one part can fail alone.
    enum Part: Int32, CaseIterable {
        /// Also coordinates the group, unless a test changes that.
        case source = 1
        case ledger
        case outcomes
        case deadLetters
        /// Has no topic at first; leads the topics that are moved to it.
        case spare
    }

    /// Makes a newsroom with a broker for each topic, runs a test in it and closes it whatever happens.
    ///
    /// - Parameters:
    ///   - environment: Overrides of the configuration.
    ///   - body: The test; its second argument is the cluster.
    /// - Throws: The error of the test.
    static func openInParts(
        _ environment: [String: String] = [:],
        _ body: (Newsroom, MockCluster) async throws -> Void
    ) async throws {
        let mock = try MockCluster(brokers: Part.allCases.count)
        try await open(on: KafkaTestCluster(of: mock), environment) { newsroom in
            for part in Part.allCases where part != .spare { try newsroom.move(part, to: part) }
            try mock.setCoordinator(Part.source.rawValue, ofGroup: newsroom.names.group)
            try await body(newsroom, mock)
        }
    }

    /// The topic of a part.
    func topic(of part: Part) -> String {
        switch part {
        case .source, .spare: names.source
        case .ledger: names.ledger
        case .outcomes: names.outcomes
        case .deadLetters: names.deadLetters
        }
    }

    /// Makes another broker the leader of a topic.
    func move(_ part: Part, to broker: Part) throws {
        try cluster.mock?.setLeader(broker.rawValue, of: TopicPartition(topic: topic(of: part), partition: 0))
    }

    /// Waits until a worker names a reason for not being ready. It polls, because a reason may appear with time alone.
    ///
    /// - Parameters:
    ///   - worker: The worker to ask.
    ///   - text: A part of the reason.
    /// - Returns: The whole reason.
    /// - Throws: `CancellationError` when the test's time is over.
    func reason(of worker: Worker, with text: String) async throws -> String {
        try await waitFor { worker.unreadyReasons.first { $0.contains(text) } }
    }
}
