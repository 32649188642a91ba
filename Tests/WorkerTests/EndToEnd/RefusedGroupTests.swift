import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaMock
import NewsflashKafkaTestCluster
import NewsflashObservability
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// A source or group to which the worker has lost its right, and a coordinator that does not answer.
@Suite(.timeLimit(.minutes(4)))
struct RefusedGroupTests {
    /// The shortest timeout that a worker accepts.
    private static let session = Duration.seconds(6)
    private static let shortSession = ["NEWSFLASH_KAFKA_SESSION_TIMEOUT": "6s", "NEWSFLASH_DELIVERY_DRAIN": "1s"]

    /// Publishes an event, and waits until it is processed.
    private func send(_ id: String, number: Int, in newsroom: Newsroom) async throws {
        try await newsroom.publish([Desk.event(id)])
        _ = try await newsroom.finalOutcomes(number)
    }

    @Test
    func `a source without the right to read is named until it is read again`() async throws {
        try await Newsroom.openInParts { newsroom, mock in
            try await newsroom.withWorker { worker in
                try await send("first", number: 1, in: newsroom)
                // Two refusals a second; librdkafka reports only the first.
                mock.pushErrors(Array(repeating: .topicAuthorizationFailed, count: 1000), to: .fetch)
                try await newsroom.publish([Desk.event("second")])
                let reason = try await newsroom.reason(of: worker, with: "kafka: reading \(newsroom.names.source)[0]")
                #expect(reason.hasSuffix("give the worker's user the right Read on the topic \(newsroom.names.source)"))
                mock.clearErrors(of: .fetch)
                _ = try await newsroom.finalOutcomes(2)
                // The control topic is refused, too, and may be read again a moment later.
                try await waitUntil { worker.unreadyReasons == [] }
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["first", "second"])
        }
    }

    @Test
    func `refused commits are named until one succeeds`() async throws {
        try await Newsroom.openInParts { newsroom, mock in
            try await newsroom.withWorker { worker in
                try await send("first", number: 1, in: newsroom)
                mock.pushErrors(Array(repeating: .groupAuthorizationFailed, count: 1000), to: .offsetCommit)
                try await send("second", number: 2, in: newsroom)
                let reason = try await newsroom.reason(of: worker, with: "kafka: committing")
                #expect(reason.hasSuffix("give the worker's user the right Read on the group \(newsroom.names.group)"))
                mock.clearErrors(of: .offsetCommit)
                try await send("third", number: 3, in: newsroom)
            }
            #expect(newsroom.hub.pushes.count == 3)
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
        }
    }

    @Test
    func `a refused member loses its partitions within the session, names the right, and joins again`() async throws {
        try await Newsroom.openInParts(Self.shortSession) { newsroom, mock in
            try await newsroom.withWorker { worker in
                try await send("first", number: 1, in: newsroom)
                let began = ContinuousClock.now
                mock.pushErrors(Array(repeating: .groupAuthorizationFailed, count: 1000), to: .joinGroup)
                mock.pushErrors(Array(repeating: .groupAuthorizationFailed, count: 1000), to: .heartbeat)
                try await newsroom.losesItsPartitions()
                #expect(ContinuousClock.now - began < Self.session + .seconds(3))
                let reason = try await newsroom.reason(
                    of: worker,
                    with: "right Read on the group \(newsroom.names.group)"
                )
                #expect(reason.hasPrefix("kafka: "))
                try await newsroom.publish([Desk.event("second")])
                mock.clearErrors(of: .heartbeat)
                mock.clearErrors(of: .joinGroup)
                _ = try await newsroom.finalOutcomes(2)
                #expect(worker.unreadyReasons == [])
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["first", "second"])
        }
    }

    @Test
    func `a member of a silent coordinator loses its partitions within the session, and waits for it`() async throws {
        try await Newsroom.openInParts(Self.shortSession) { newsroom, mock in
            let coordinator = Newsroom.Part.spare.rawValue
            try mock.setCoordinator(coordinator, ofGroup: newsroom.names.group)
            try await newsroom.withWorker { worker in
                try await send("first", number: 1, in: newsroom)
                // The connections stay open, and nothing is answered any more.
                let began = ContinuousClock.now
                try mock.setRoundTripTime(.seconds(600), ofBroker: coordinator)
                try await newsroom.losesItsPartitions()
                #expect(ContinuousClock.now - began < Self.session + .seconds(3))
                let reason = try await newsroom.reason(of: worker, with: "It has been joining for")
                #expect(reason.contains("check that the broker that coordinates the group responds"))
                try await newsroom.publish([Desk.event("second")])
                try mock.setRoundTripTime(.zero, ofBroker: coordinator)
                _ = try await newsroom.finalOutcomes(2)
                #expect(worker.unreadyReasons == [])
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["first", "second"])
        }
    }
}

extension Newsroom {
    /// Waits until a worker has logged that its partitions are lost.
    fileprivate func losesItsPartitions() async throws {
        try await log.wait { $0.contains { $0.message.hasPrefix("partitions were lost") } ? () : nil }
    }
}
