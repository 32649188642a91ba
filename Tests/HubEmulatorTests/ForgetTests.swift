import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("forgetting sends", .timeLimit(.minutes(1)))
struct ForgetTests {
    private func numbers(_ desk: Desk, _ query: String = "") throws -> [Int64] {
        try JSONReader.read(desk.inspect("GET", "sends" + query).body)[member: "sends"]?.array?
            .compactMap { $0[member: "sequence"]?.int64 } ?? []
    }

    @Test func `forgetting leaves scheduled sends and sends in progress alone`() throws {
        let clock = SetClock()
        let desk = try Desk {
            $0.clock = clock.read
            $0.fansOutInBackground = false
        }
        desk.install("a", tags: ["t"])
        desk.send(tags: "t")
        desk.send(tags: "none")
        desk.hub.settle()
        let time = HTTPHeaders([.init("ServiceBusNotification-ScheduleTime", "2026-01-01T00:00:00")])
        let scheduled = desk.post("/Breaking-News/schedulednotifications?api-version=2020-06", headers: time)
        must(scheduled, answer: 201)
        desk.send(["title": "in progress"], tags: "t")
        must(desk.inspect("DELETE", "sends"), answer: 204)
        #expect(try numbers(desk) == [3, 4])
        #expect(try JSONReader.read(desk.inspect("GET", "stats").body)[member: "kept"]?.int64 == 2)
        #expect(desk.arrived == [#"a: {"aps":{"alert":"in progress"}}"#])
        must(desk.inspect("DELETE", "sends"), answer: 204)
        #expect(try numbers(desk) == [3])
        clock.set(Desk.now + .seconds(7200))
        #expect(desk.hub.settledDeliveries.map(\.send) == [3])
        must(desk.inspect("DELETE", "sends"), answer: 204)
        #expect(try numbers(desk) == [])
    }

    @Test func `the pages of sends are complete although some between them were forgotten`() throws {
        let desk = try Desk {
            $0.fansOutInBackground = false
            $0.sendsKept = 10
        }
        desk.install("a", tags: ["t"])
        for number in 0..<10 { desk.send(tags: number.isMultiple(of: 3) ? "t" : "none", headers: []) }
        desk.hub.state.withLock { state in
            // The others had no device and are finished.
            for sequence in [2, 3, 5, 6, 8, 9] as [Int64] {
                state.hub.log.update(sequence) { $0.progress.end(now: Desk.now) }
            }
        }
        must(desk.inspect("DELETE", "sends"), answer: 204)
        #expect(try numbers(desk) == [1, 4, 7, 10])
        #expect(try numbers(desk, "?limit=2") == [1, 4])
        #expect(try numbers(desk, "?after=4&limit=2") == [7, 10])
        #expect(try numbers(desk, "?after=8") == [10])
        for _ in 0..<7 { desk.send(tags: "t") }
        #expect(try numbers(desk) == [4, 7, 10, 11, 12, 13, 14, 15, 16, 17])
    }

    @Test func `subscribers receive the unfinished sends again after a reset`() async throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        desk.install("a", tags: ["t"])
        desk.send(tags: "t")
        let stream = desk.hub.streams.open()
        desk.hub.reset()
        desk.hub.streams.finish()
        var told = ""
        for await bytes in stream { told += String(decoding: bytes, as: UTF8.self) }
        #expect(told.contains("event: reset\ndata: {}\n\nevent: send\ndata: {\"sequence\":1,"), "\(told)")
    }
}
