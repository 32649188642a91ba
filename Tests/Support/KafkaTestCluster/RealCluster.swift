import NewsflashBasics
import NewsflashKafka
import NewsflashTestSupport
package import NewsflashTopicPartitions

/// Real brokers in their own processes, which end with this object. They need `KAFKA_HOME`.
package final class RealCluster: Sendable {
    /// The addresses for clients.
    package let bootstrapServers: String
    private let script: ChildProcess
    private let ownAdmin = Locked<KafkaAdmin?>(nil)

    private init(bootstrapServers: String, script: ChildProcess) {
        self.bootstrapServers = bootstrapServers
        self.script = script
    }

    /// Starts brokers and waits until they serve.
    ///
    /// - Parameter brokers: The number of brokers. Topics have up to three replicas, and a write needs all except one.
    /// - Returns: A cluster without topics.
    /// - Throws: ``ChildProcess/Failure`` with the last output of a broker.
    package static func start(brokers: Int = 1) async throws -> RealCluster {
        let ports = try freePorts(2 * brokers).map(String.init)
        let script = try ChildProcess([ChildProcess.scripts + "/kafka-cluster.sh"] + ports)
        return RealCluster(bootstrapServers: try await script.line(after: "ready "), script: script)
    }

    /// A client that makes topics, one for all tests of the cluster: a test run makes more than a thousand topics.
    func admin() throws -> KafkaAdmin {
        try ownAdmin.withLock { own in
            if let own { return own }
            let admin = try KafkaAdmin(KafkaConfiguration(bootstrapServers: bootstrapServers, clientID: "tests"))
            own = admin
            return admin
        }
    }

    /// Kills a broker with `kill -9`, and waits until it is gone.
    ///
    /// - Parameter broker: Its id, from 1. A broker can be killed only once in a cluster.
    /// - Throws: ``ChildProcess/Failure`` when the cluster has ended.
    package func kill(_ broker: Int32) async throws {
        script.send("kill \(broker)")
        _ = try await script.line(after: "killed \(broker)")
    }

    /// Starts a killed broker on its own data, and waits until it serves.
    ///
    /// - Parameter broker: Its id, from 1.
    /// - Throws: ``ChildProcess/Failure`` when it does not start.
    package func restart(_ broker: Int32) async throws {
        script.send("start \(broker)")
        _ = try await script.line(after: "started \(broker)")
    }

    /// Removes all batches of records except the first from the log of a killed broker, as after an unclean election.
    ///
    /// - Parameters:
    ///   - partition: The partition; its log has one segment.
    ///   - broker: The id of the broker, from 1.
    /// - Throws: ``ChildProcess/Failure`` if the cluster has ended.
    package func cutLog(of partition: TopicPartition, on broker: Int32) async throws {
        script.send("cut \(broker) \(partition.topic)-\(partition.partition)")
        _ = try await script.line(after: "cut \(broker)")
    }

    /// Ends all brokers and removes their data.
    package func stop() async {
        script.endInput()
        _ = try? await script.waitForEnd()
    }
}
