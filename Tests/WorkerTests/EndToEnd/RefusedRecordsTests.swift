import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashWorker
import Testing

/// Brokers that refuse records, because their disk is full or the right to write was revoked.
@Suite(.timeLimit(.minutes(4)))
struct RefusedRecordsTests {
    /// More refusals than any test causes.
    private static let forEver = 5000

    @Test(arguments: [MockError.storage, .topicAuthorizationFailed])
    func `without the ledger only a few flashes are sent, and sending continues when it is back`(error: MockError)
        async throws
    {
        try await Newsroom.openInParts { newsroom, mock in
            let news = Desk.alerts(400)
            // The number of events, not counting flashes, that may be sent again after a crash.
            let room = RiskLimit().total - RiskLimit().reserve
            let flashes = (1...5).map { Desk.event("flash-\($0)", kind: .flash) }
            let first = Desk.event("first")
            try await newsroom.withWorker { worker in
                // No event of a partition is processed before its ledger names the owner.
                try await newsroom.publish([first])
                _ = try await newsroom.finalOutcomes(1)
                try mock.push(error, times: Self.forEver, to: .produce, ofBroker: Newsroom.Part.ledger.rawValue)
                try await newsroom.publish(news)
                _ = await newsroom.hub.waitForPushes(count: 1 + room)
                try await newsroom.publish(flashes)
                try await newsroom.hub.waitForPushes(of: flashes)
                try await newsroom.isExplained(error, of: .ledger, by: worker)
                let alerts = newsroom.hub.pushes.count { $0.property("id")?.hasPrefix("alert") == true }
                #expect(alerts <= room, "\(alerts) would be unknown after a crash")
                #expect(newsroom.outcomes.map(\.event) == ["first"])
                try newsroom.move(.ledger, to: .spare)
                _ = try await newsroom.finalOutcomes(406)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.count == 406)
            try newsroom.expectGuarantees(of: [first] + news + flashes)
        }
    }

    @Test(arguments: [MockError.storage, .topicAuthorizationFailed])
    func `without the outcomes topic recorded events are sent, and outcomes follow, also by another worker`(
        error: MockError
    ) async throws {
        try await Newsroom.openInParts { newsroom, mock in
            try mock.push(error, times: Self.forEver, to: .produce, ofBroker: Newsroom.Part.outcomes.rawValue)
            let news = Desk.alerts(50)
            var configuration = newsroom.configuration
            configuration.drain = .seconds(1)
            let first = try await newsroom.startWorker(configuration)
            try await newsroom.publish(news)
            try await newsroom.hub.waitForPushes(of: news)
            try await newsroom.isExplained(error, of: .outcomes, by: first)
            #expect(newsroom.outcomes.isEmpty)
            await first.stop()
            let left = try await newsroom.progress()
            #expect(left.committed == [0], "no outcome was written")
            try newsroom.move(.outcomes, to: .spare)
            try await newsroom.withWorker { _ in _ = try await newsroom.finalOutcomes(50) }
            #expect(newsroom.hub.pushes.count == 50)
            try await newsroom.readToTheEnd()
            try newsroom.expectGuarantees(of: news)
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    @Test(arguments: [MockError.storage, .topicAuthorizationFailed])
    func `an unwritten dead letter blocks its own offset, but no other event`(error: MockError) async throws {
        try await Newsroom.openInParts { newsroom, mock in
            try mock.push(error, times: Self.forEver, to: .produce, ofBroker: Newsroom.Part.deadLetters.rawValue)
            try await newsroom.withWorker { worker in
                let broken = KafkaRecord(topic: newsroom.names.source, partition: 0, key: [7], value: [1, 2, 3])
                try await newsroom.cluster.write([broken])
                try await newsroom.publish([Desk.event("good-news")])
                try await newsroom.hub.waitForPushes(of: [Desk.event("good-news")])
                try await newsroom.isExplained(error, of: .deadLetters, by: worker)
                #expect(try await newsroom.progress().committed == [0])
                try newsroom.move(.deadLetters, to: .spare)
                let topic = newsroom.names.deadLetters
                try await newsroom.reader.log.wait { $0.messages.contains { $0.topic == topic } ? () : nil }
            }
            #expect(newsroom.deadLetters.map(\.value) == [[1, 2, 3]])
            #expect(newsroom.hub.pushes.count == 1)
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    /// If the brokers refuse before the worker checks its topics, the start waits; if they refuse later, the started
    /// worker waits. The order is a race.
    @Test(arguments: [0, 20])
    func `a worker that may not write at all names the missing right, and begins when it has it`(answersBefore: Int)
        async throws
    {
        try await Newsroom.openInParts { newsroom, mock in
            try await newsroom.publish([Desk.event("patient")])
            // A producer asks again while the coordinator loads.
            // A refused producer is replaced, and the new one is refused too.
            let loading = Array(repeating: MockError.coordinatorLoadInProgress, count: answersBefore)
            let refusals = Array(repeating: MockError.clusterAuthorizationFailed, count: 1000)
            mock.pushErrors(loading + refusals, to: .initProducerID)
            async let waitsWithItsStart = {
                let isRefused = try await newsroom.log.wait { entries -> Bool? in
                    if entries.contains(where: { $0.message == "the worker has started" }) { return false }
                    let complaints = entries.filter { $0.message == "the worker waits for Kafka and its topics" }
                    let details = complaints.map { "\($0.metadata["detail"].map { "\($0)" } ?? "")" }
                    return details.contains { $0.contains("IdempotentWrite on the cluster") } ? true : nil
                }
                if isRefused { mock.clearErrors(of: .initProducerID) }
                return isRefused
            }()
            let worker = try await newsroom.startWorker()
            do {
                if try await !waitsWithItsStart {
                    _ = try await newsroom.reason(of: worker, with: "IdempotentWrite on the cluster")
                    mock.clearErrors(of: .initProducerID)
                }
                _ = try await newsroom.finalOutcomes(1)
            } catch {
                await worker.stop()
                throw error
            }
            #expect(await worker.stop(), "the worker stops in time")
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["patient"])
        }
    }

    @Test
    func `a failed producer that may not begin again names the right, and nothing is sent twice`()
        async throws
    {
        try await Newsroom.openInParts { newsroom, mock in
            try await newsroom.withWorker { worker in
                // The worker has adopted the partition.
                try await newsroom.publish([Desk.event("first")])
                _ = try await newsroom.finalOutcomes(1)
                // The hub accepts it after the following steps.
                newsroom.hub.setFault(Fault(status: 503))
                try await newsroom.publish([Desk.event("once")])
                mock.pushErrors(Array(repeating: .clusterAuthorizationFailed, count: 1000), to: .initProducerID)
                try mock.push(.outOfOrderSequence, times: 1, to: .produce, ofBroker: Newsroom.Part.ledger.rawValue)
                newsroom.hub.setFault(nil)
                let reason = try await newsroom.reason(of: worker, with: "IdempotentWrite on the cluster")
                #expect(reason.hasPrefix("records_unconfirmed: "))
                mock.clearErrors(of: .initProducerID)
                _ = try await newsroom.finalOutcomes(2)
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["first", "once"])
        }
    }
}

extension Newsroom {
    /// Waits until a worker reports the fault of a topic's records to people. A temporary fault is reported after ten
    /// seconds, for which only the ledger's test waits.
    fileprivate func isExplained(_ error: MockError, of part: Part, by worker: Worker) async throws {
        guard error != .storage || part == .ledger else { return }
        let words = error == .storage ? "disk" : "the right Write on the topic \(topic(of: part))"
        let reason = try await reason(of: worker, with: words)
        #expect(reason.hasPrefix("records_unconfirmed: "))
        #expect(reason.contains("nothing is lost"))
    }
}
