import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashTopicPartitions
import Testing

/// Records that Kafka deletes while all workers are down.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RetentionTests {
    @Test(.enabled(if: Chaos.retention.isAskedFor, Chaos.howTo))
    func `retention: each unread record that Kafka deleted is counted, and all others end`()
        async throws
    {
        var setup = ChaosRun.Setup(rate: 60, mix: .alerts)
        setup.brokers = 1
        setup.hasAdmin = true
        try await ChaosRun.run(.retention, setup) { run in
            let length = run.scenario.length / 3
            try await run.fleet.start("a", "b")
            async let written: Void = run.newsroom.write(.perSecond(run.rate))
            try await run.fleet.settle()
            try await run.wait(length)
            try await run.fleet.stopAll()
            try await run.wait(length)
            let expected = try await Self.delete(in: run)
            let start = Timestamp.now()
            try await run.fleet.start("a", "b")
            try await run.fleet.settle()
            let seen = await isDone(within: run.bound(.seconds(30))) {
                try await run.newsroom.outcomeReader.losses(expected.count)
            }
            #expect(seen, "the outcomes contain \(run.newsroom.outcomeReader.present.losses)")
            let counted = Timestamp.now() - start
            try await run.wait(length)
            run.newsroom.desk.stop()
            try await written
            #expect(run.newsroom.outcomeReader.present.losses.sorted { $0.partition < $1.partition } == expected)
            let told = try await Self.told(by: ["a", "b"], in: run)
            let number = expected.reduce(0) { $0 + $1.records }
            #expect(told.metric == number, "the metrics count \(told.metric) of \(number)")
            #expect(told.losses == expected, "the status of the workers contains \(told.losses)")
            let lost = run.newsroom.desk.forget(expected)
            #expect(lost == number, "the desk has written \(lost) of the \(number) deleted records")
            try await run.conclude("\(number) records deleted, counted within \(counted.milliseconds)") {
                [$0.lost, $0.doubles, $0.order, $0.outcomes, $0.forbidden]
            }
        }
    }

    /// Deletes the read records of the first partition, all of the second, and half of the unread ones of the others.
    ///
    /// - Returns: The deleted unread records, in the order of their partitions.
    private static func delete(in run: ChaosRun) async throws -> [KafkaLoss] {
        let committed = try #require(await run.newsroom.committedOffsets(), "the group's offsets could not be read")
        var losses: [KafkaLoss] = []
        for (index, partition) in run.newsroom.sourcePartitions.enumerated() {
            let position = try #require(committed[partition], "the group has no offset for \(partition)")
            let end = try await run.newsroom.admin.watermarks(of: partition).high
            let share: Int64 = index == 0 ? 0 : index == 1 ? 2 : 1
            let cut = position + (end - position) * share / 2
            try await KafkaTestCluster(of: run.cluster).deleteRecords(of: partition, below: cut)
            if cut > position {
                losses.append(KafkaLoss(partition: partition, from: position, records: Int(cut - position)))
            }
        }
        try #require(losses.count == run.newsroom.sourcePartitions.count - 1, "hardly any record is unread")
        return losses
    }

    /// The lost records in the metrics and the status of workers.
    private static func told(by names: [String], in run: ChaosRun) async throws -> (metric: Int, losses: [KafkaLoss]) {
        var (metric, losses) = (0, [KafkaLoss]())
        for name in names {
            let worker = try #require(await run.fleet.process(of: name))
            let lines = try await worker.page("/metrics").split(separator: "\n")
            for line in lines where line.hasPrefix("newsflash_records_lost_total{") {
                metric += line.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } ?? 0
            }
            let status = try JSONReader.read(Array(try await worker.page("/status").utf8))
            for loss in status[member: "losses"]?.array ?? [] {
                let text = try #require(loss[member: "partition"]?.string)
                let partition = try #require(run.newsroom.sourcePartitions.first { $0.description == text })
                #expect(loss[member: "reason"]?.string == "retention")
                let from = try #require(loss[member: "from"]?.int64)
                losses.append(
                    KafkaLoss(partition: partition, from: from, records: Int(loss[member: "records"]?.int64 ?? 0))
                )
            }
        }
        return (metric, losses.sorted { $0.partition < $1.partition })
    }
}
