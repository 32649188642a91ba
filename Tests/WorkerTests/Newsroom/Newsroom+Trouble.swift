import Kafka
import KafkaMock
import KafkaTestCluster
import TestSupport
import Worker

extension Newsroom {
    /// Brokers of a test's own, each with its part, so that one part can have trouble alone.
    enum Part: Int32, CaseIterable {
        /// Also coordinates the group, unless a test says otherwise.
        case source = 1
        case ledger
        case outcomes
        case deadLetters
        /// Has nothing; leads what is moved here.
        case spare
    }

    /// Makes a newsroom whose topics lie on a broker each, runs a test in it and closes it whatever happens.
    ///
    /// - Parameters:
    ///   - environment: Overrides of the configuration.
    ///   - body: The test; its second argument is the cluster.
    /// - Throws: What the test threw.
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

    /// Lets another broker lead a topic.
    func move(_ part: Part, to broker: Part) throws {
        try cluster.mock?.setLeader(broker.rawValue, of: KafkaTopicPartition(topic: topic(of: part), partition: 0))
    }

    /// Waits until a worker names a reason for not being ready. Nothing reports one that comes with time alone.
    ///
    /// - Parameters:
    ///   - worker: Which one.
    ///   - text: A part of the reason.
    /// - Returns: The whole reason.
    /// - Throws: `CancellationError` when the test's time is over.
    func reason(of worker: Worker, with text: String) async throws -> String {
        try await waitFor { worker.unreadyReasons.first { $0.contains(text) } }
    }
}
