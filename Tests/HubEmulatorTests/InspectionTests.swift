import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InspectionTests {
    @Test func `a send is shown with all its members`() throws {
        let desk = try Desk()
        let message = try HubMessage.native(format: .windows, body: Array("<toast/>".utf8))
        try must(desk.send(message, to: .tags(TagExpression(parsing: "a || b"))))
        let response = desk.inspect("GET", "sends?after=0")
        #expect(response.headers["Content-Type"] == "application/json")
        let page = try JSONReader.read(response.body)
        #expect(page[member: "last"]?.int64 == 1)
        let send = try #require(page[member: "sends"]?.array?.first)
        #expect(send[member: "sequence"]?.int64 == 1)
        #expect(send[member: "time"]?.string == "2025-12-31T23:00:00.000Z")
        #expect(send[member: "kind"]?.string == "tags")
        #expect(send[member: "format"]?.string == "windows")
        #expect(send[member: "tags"]?.string == "a || b")
        #expect(send[member: "headers"]?[member: "x-wns-type"]?.string == "wns/toast")
        #expect(send[member: "body"]?.string == "<toast/>")
        let id = try #require(send[member: "notificationId"]?.string)
        #expect(id.hasPrefix("NH-20251231230000000-"))
        #expect(send[member: "trackingId"]?.string?.count == 36)
        #expect(send[member: "clientTrackingId"]?.string?.count == 36)
    }

    @Test func `sends are paged by sequence number, and the oldest are removed`() throws {
        let desk = try Desk { $0.sendsKept = 5 }
        for _ in 0..<12 { must(desk.post()) }
        func numbers(_ query: String) throws -> [Int64] {
            try JSONReader.read(desk.inspect("GET", "sends" + query).body)[member: "sends"]?.array?
                .compactMap { $0[member: "sequence"]?.int64 } ?? []
        }
        #expect(try numbers("") == [8, 9, 10, 11, 12])
        #expect(try numbers("?after=9") == [10, 11, 12])
        #expect(try numbers("?after=9&limit=2") == [10, 11])
        #expect(try numbers("?after=12") == [])
        for beyond in [9_999_999_999, Int64.max - 1, .max] { #expect(try numbers("?after=\(beyond)") == []) }
        for before in [-1, Int64.min] { #expect(try numbers("?after=\(before)") == [8, 9, 10, 11, 12]) }
        for beyond in [9_999_999_999, Int64.max - 1, .max, -1, .min] {
            #expect(desk.inspect("GET", "deliveries?after=\(beyond)").status == 200)
            #expect(desk.inspect("GET", "deliveries?send=\(beyond)").status == 200)
        }
        #expect(desk.inspect("GET", "sends?after=x").status == 400)
        #expect(desk.hub.stats.accepted == 12)
    }

    @Test(arguments: [3, 4, 5, 100])
    func `the oldest sends are removed if the bodies are too large together`(sendsKept: Int) throws {
        let desk = try Desk {
            $0.sendsKept = sendsKept
            $0.bytesKept = 40
        }
        // Nine bytes each, then one of thirty-nine, then nine again.
        for _ in 0..<7 { must(desk.post()) }
        #expect(desk.hub.sends.map(\.sequence) == Array((1...7).suffix(min(sendsKept, 4))))
        must(desk.post(body: #"{"a":""# + String(repeating: "b", count: 31) + #""}"#))
        #expect(desk.hub.sends.map(\.sequence) == [8])
        for _ in 0..<5 { must(desk.post()) }
        #expect(desk.hub.sends.map(\.sequence) == Array((9...13).suffix(min(sendsKept, 4))))
        #expect(desk.hub.sends.allSatisfy { $0.text == #"{"a":"b"}"# })
    }

    @Test func `answers are counted by status until a reset`() throws {
        let desk = try Desk()
        must(desk.post())
        must(desk.post(body: ""), answer: 400)
        #expect(
            desk.inspect("GET", "stats").text
                == #"{"received":2,"accepted":1,"faults":0,"kept":1,"deliveries":0,"deliveriesKept":0,"fanningOut":0,"#
                + #""registrations":0,"installations":0,"byStatus":{"201":1,"400":1}}"#
        )
        #expect(desk.inspect("DELETE", "sends").status == 204)
        #expect(desk.hub.sends.isEmpty)
        #expect(desk.hub.stats.received == 0)
        must(desk.post())
        #expect(desk.hub.sends.map(\.sequence) == [2])
    }

    @Test func `other inspection pages and methods are refused`() throws {
        let desk = try Desk()
        #expect(desk.inspect("GET", "").status == 404)
        #expect(desk.inspect("GET", "sends/1").status == 404)
        for (method, path, allowed) in [
            ("POST", "sends", "GET, DELETE"), ("POST", "faults", "GET, PUT, DELETE"), ("PUT", "devices", "GET, DELETE"),
            ("GET", "news", "POST"), ("POST", "events", "GET"), ("POST", "feedback/newsroom", "GET"),
        ] {
            let answer = desk.inspect(method, path)
            #expect(answer.status == 405)
            #expect(answer.headers["Allow"] == allowed)
        }
    }

    @Test func `a send resumes the tasks that wait for it`() async throws {
        let desk = try Desk()
        // Immediate tasks run until they wait, so both wait before the first send.
        let three = Task.immediate { await desk.hub.waitForSends(count: 3) }
        let second = Task.immediate { await desk.hub.nextSend(after: 1) }
        for _ in 0..<3 { must(desk.post()) }
        #expect(await three.value.count == 3)
        #expect(await second.value?.sequence == 2)
    }

    @Test func `a wait counts the sends since the last reset`() async throws {
        let desk = try Desk()
        must(desk.post())
        desk.hub.reset()
        async let one = desk.hub.waitForSends(count: 1)
        must(desk.post())
        #expect(await one.map(\.sequence) == [2])
    }

    @Test func `a wait ends when its task is cancelled`() async throws {
        let desk = try Desk()
        let waiting = Task.immediate { await desk.hub.waitForSends(count: 1) }
        waiting.cancel()
        #expect(await waiting.value.isEmpty)
    }

    @Test func `sends are streamed as they arrive`() async throws {
        let desk = try Desk()
        must(desk.post())
        var stream = desk.hub.sendStream().makeAsyncIterator()
        for _ in 0..<2 { must(desk.post()) }
        #expect(await stream.next()?.sequence == 2)
        #expect(await stream.next()?.sequence == 3)
    }
}
