import NewsflashEvents
import NewsflashHubEmulator
import NewsflashPublishing
import NewsflashRendering
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

/// One worker with several hubs.
@Suite(.timeLimit(.minutes(4)))
struct HubRoutingTests {
    @Test
    func `live hubs get news in their formats, the test hub gets tests, and a kill reaches all notified`()
        async throws
    {
        let south = HubEmulator()
        let test = HubEmulator()
        try south.start()
        try test.start()
        do {
            try await Newsroom.open { newsroom in
                let southKey = try KeyFile(try #require(south.connectionStrings.first))
                let testKey = try KeyFile(try #require(test.connectionStrings.first))
                var configuration = newsroom.configuration
                var second = configuration.hub
                second.label = "south"
                second.forms = [.apns, .wns]
                second.credentials = .file(southKey.path)
                var third = configuration.hub
                third.label = "test"
                third.mode = .test
                third.credentials = .file(testKey.path)
                configuration.hubs += [second, third]

                let news = Desk.event("news", story: "a")
                var rehearsal = Desk.event("rehearsal", story: "a", revision: 2)
                rehearsal.mode = .test
                let kill = Desk.event("kill", story: "a", revision: 3, kind: .kill)
                try await newsroom.withWorker(configuration) { _ in
                    for (index, event) in [news, rehearsal, kill].enumerated() {
                        try await newsroom.publish([event])
                        _ = try await newsroom.finalOutcomes(index + 1)
                    }
                }
                #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["news", "kill"])
                #expect(test.pushes.compactMap { $0.property("id") } == ["rehearsal"])
                #expect(south.pushes.map(\.format.rawValue).sorted() == ["apple", "apple", "windows", "windows"])
                try await newsroom.readToTheEnd()
                #expect(newsroom.outcomes.map(\.outcome) == ["sent", "sent", "sent"])
            }
        } catch {
            await south.stop()
            await test.stop()
            throw error
        }
        await south.stop()
        await test.stop()
    }
}
