import NewsflashEvents
import NewsflashHubEmulator
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import Testing

/// A withdrawal reaches all audiences that were notified of its story, or may have been, whatever happened in between.
@Suite(.timeLimit(.minutes(4)))
struct WithdrawalTests {
    /// A newsroom whose audiences are at two hubs.
    private struct Scene {
        let newsroom: Newsroom
        let south: HubEmulator
        let configuration: WorkerConfiguration

        var hubs: [HubEmulator] { [newsroom.hub, south] }

        func setFaults(_ fault: Fault?) { for hub in hubs { hub.setFault(fault) } }

        /// Publishes events one after the other while a worker runs; `ends` is the number of final outcomes at the end.
        func publish(_ events: [NewsEvent], ends: Int) async throws {
            try await newsroom.withWorker(configuration) { _ in
                for (index, event) in events.enumerated() {
                    try await newsroom.publish([event])
                    _ = try await newsroom.finalOutcomes(ends - events.count + index + 1)
                }
            }
        }

        func expectPushes(_ ids: [String], sourceLocation: SourceLocation = #_sourceLocation) {
            for hub in hubs {
                #expect(hub.pushes.compactMap { $0.property("id") } == ids, sourceLocation: sourceLocation)
            }
        }

        /// Expects that each hub accepted the withdrawal once, after everything else.
        func expectLastPush(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) {
            for hub in hubs {
                let ids = hub.pushes.compactMap { $0.property("id") }
                #expect(ids.last == id, sourceLocation: sourceLocation)
                #expect(ids.filter { $0 == id }.count == 1, sourceLocation: sourceLocation)
            }
        }
    }

    private func withTwoHubs(
        _ environment: [String: String] = [:],
        _ body: (Scene) async throws -> Void
    ) async throws {
        let south = HubEmulator()
        try south.start()
        do {
            try await Newsroom.open(environment) { newsroom in
                let key = try KeyFile(try #require(south.connectionStrings.first))
                var configuration = newsroom.configuration
                var second = configuration.hub
                second.label = "south"
                second.credentials = .file(key.path)
                configuration.hubs.append(second)
                try await body(Scene(newsroom: newsroom, south: south, configuration: configuration))
            }
        } catch {
            await south.stop()
            throw error
        }
        await south.stop()
    }

    private func kill(_ id: String, revision: Int64, hasText: Bool = false) -> NewsEvent {
        var kill = Desk.event(id, story: "a", revision: revision, kind: .kill)
        kill.categories = []
        if !hasText { kill.text = [] }
        return kill
    }

    @Test(arguments: [2, 1] as [Int64])
    func `a kill of any revision, by another worker, reaches the notified audiences`(revision: Int64) async throws {
        try await withTwoHubs { scene in
            try await scene.publish([Desk.event("alert", story: "a", revision: 2)], ends: 1)
            try await scene.publish([kill("kill", revision: revision)], ends: 2)
            scene.expectPushes(["alert", "kill"])
            try await scene.newsroom.readToTheEnd()
            let outcome = try #require(scene.newsroom.outcomes.last)
            #expect(outcome.outcome == "sent")
            #expect(outcome.targets == Array(repeating: .init(status: "accepted", attempts: 1), count: 2))
        }
    }

    @Test
    func `a kill after a stop with a request in flight reaches those who may have been notified`() async throws {
        try await withTwoHubs(["NEWSFLASH_DELIVERY_DRAIN": "1s"]) { scene in
            // Both hubs accept the alert at once, and answer after the stop.
            scene.setFaults(Fault(latency: .seconds(60)))
            try await scene.newsroom.withWorker(scene.configuration) { _ in
                try await scene.newsroom.publish([Desk.event("alert", story: "a")])
                for hub in scene.hubs { _ = await hub.waitForPushes(count: 1) }
            }
            scene.setFaults(nil)
            try await scene.newsroom.publish([kill("kill", revision: 2)])
            try await scene.newsroom.withWorker(scene.configuration) { _ in
                _ = try await scene.newsroom.finalOutcomes(2)
            }
            scene.expectPushes(["alert", "kill"])
        }
    }

    @Test
    func `a kill of a paused source is sent when it is resumed, and no update overtakes it`() async throws {
        try await withTwoHubs { scene in
            let newsroom = scene.newsroom
            try await scene.publish([Desk.event("alert", story: "a")], ends: 1)
            try await newsroom.order(.pause)
            try await newsroom.withWorker(scene.configuration) { _ in
                try await newsroom.publish([kill("kill", revision: 2), Desk.event("update", story: "a", revision: 3)])
                _ = try await newsroom.provisionalOutcomes(1)
                scene.expectPushes(["alert"])
                try await newsroom.order(.resume)
                _ = try await newsroom.finalOutcomes(3)
            }
            scene.expectPushes(["alert", "kill"])
            try await newsroom.readToTheEnd()
            let ends = newsroom.outcomes.filter(\.isFinal).sorted { $0.revision < $1.revision }
            #expect(ends.map { $0.reason ?? $0.outcome } == ["sent", "sent", "suppressed.killed"])
        }
    }

    @Test
    func `a kill after requests without an answer and a pause reaches those who may have been notified`() async throws {
        try await withTwoHubs { scene in
            let newsroom = scene.newsroom
            try await newsroom.withWorker(scene.configuration) { _ in
                scene.setFaults(Fault(isCut: true, isAccepted: true))
                try await newsroom.publish([Desk.event("alert", story: "a")])
                for hub in scene.hubs { _ = await hub.waitForPushes(count: 1) }
                try await newsroom.order(.pause)
                try await newsroom.reports.wait { reports in
                    reports.contains { if case .controlled = $0 { true } else { false } } ? () : nil
                }
                try await newsroom.publish([kill("kill", revision: 2)])
                _ = try await newsroom.provisionalOutcomes(1)
                scene.setFaults(nil)
                try await newsroom.order(.resume)
                _ = try await newsroom.finalOutcomes(2)
            }
            scene.expectLastPush("kill")
        }
    }

    @Test
    func `a kill without text reaches the audiences of a story that left memory long ago`() async throws {
        try await withTwoHubs(["NEWSFLASH_DELIVERY_STORY_MEMORY": "1MiB"]) { scene in
            let newsroom = scene.newsroom
            try await newsroom.withWorker(scene.configuration) { _ in
                try await newsroom.publish([Desk.event("alert", story: "a")])
                _ = try await newsroom.finalOutcomes(1)
                try await newsroom.publish(Desk.alerts(1500))
                _ = try await newsroom.finalOutcomes(1501)
                try await newsroom.publish([kill("kill", revision: 1)])
                _ = try await newsroom.finalOutcomes(1502)
            }
            scene.expectLastPush("kill")
            for hub in scene.hubs {
                #expect(hub.pushes.last?.property("headline")?.contains("A bridge has opened (alert)") == true)
            }
        }
    }

    @Test
    func `a second kill with categories goes to these if the first reached nobody`() async throws {
        try await withTwoHubs { scene in
            var second = kill("second", revision: 1, hasText: true)
            second.categories = ["world"]
            try await scene.publish([kill("first", revision: 1, hasText: true), second], ends: 2)
            scene.expectPushes(["second"])
            try await scene.newsroom.readToTheEnd()
            #expect(scene.newsroom.outcomes.map { $0.reason ?? $0.outcome } == ["suppressed.never_sent", "sent"])
        }
    }

    @Test
    func `a clean restart while one of two hubs is away sends nothing twice to the other`() async throws {
        try await withTwoHubs { scene in
            let newsroom = scene.newsroom
            scene.south.setFault(Fault(status: 503))
            for round in 1...3 {
                try await newsroom.withWorker(scene.configuration) { _ in
                    if round == 1 { try await newsroom.publish([Desk.event("alert", story: "a")]) }
                    _ = await newsroom.hub.waitForPushes(count: 1)
                    let requests = scene.south.requests.count
                    try await waitUntil { scene.south.requests.count > requests }
                }
            }
            scene.south.setFault(nil)
            try await newsroom.withWorker(scene.configuration) { _ in _ = try await newsroom.finalOutcomes(1) }
            scene.expectPushes(["alert"])
        }
    }
}
