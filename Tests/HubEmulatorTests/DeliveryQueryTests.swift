import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@testable import NewsflashHubEmulator

@Suite("finding deliveries, and waiting for them", .timeLimit(.minutes(1)))
struct DeliveryQueryTests {
    private func list(_ desk: Desk, _ query: String) throws -> [JSONValue] {
        let answer = desk.inspect("GET", "deliveries" + query)
        must(answer, answer: 200)
        return try #require(try JSONReader.read(answer.body)[member: "deliveries"]?.array)
    }

    private func query(_ text: String) throws -> DeliveryQuery {
        try DeliveryQuery(RequestTarget("/_emulator/deliveries" + text))
    }

    @Test func `deliveries are found by the id of the notification`() throws {
        let desk = try Desk()
        desk.install("a")
        for _ in 0..<3 { desk.send() }
        desk.hub.settle()
        let ids = desk.hub.sends.map(\.notificationID)
        #expect(try list(desk, "?notificationId=\(ids[1])").map { $0[member: "send"]?.int64 } == [2])
        #expect(try list(desk, "?notificationid=\(ids[0])&notificationId=\(ids[2])").count == 2)
        #expect(try list(desk, "?notificationId=none").isEmpty)
    }

    @Test func `a token of Apple is found in any case, another handle only as it is`() throws {
        let desk = try Desk()
        desk.install("a", handle: "dead01")
        desk.install("b", platform: "fcmv1", body: #"{"message":{"data":{"t":"$(title)"}}}"#, handle: "Token")
        desk.send()
        desk.hub.settle()
        for (handle, count) in [("dead01", 1), ("DEAD01", 1), ("DeaD01", 1), ("Token", 1), ("token", 0)] {
            #expect(try list(desk, "?handle=\(handle)").count == count, "\(handle)")
        }
    }

    @Test func `a delivery of a direct send is marked as direct`() throws {
        let desk = try Desk()
        desk.install("a", handle: "AB")
        desk.send()
        desk.hub.settle()
        let headers: HTTPHeaders = [.init("ServiceBusNotification-DeviceHandle", "ab")]
        must(desk.post("/Breaking-News/messages?direct", headers: headers, body: "{}", format: "apple"), answer: 201)
        #expect(try list(desk, "").map { $0[member: "direct"]?.bool } == [nil, true])
    }

    @Test func `a wait ends with the delivery that completes it`() async throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        desk.install("a", tags: ["x"], handle: "AB")
        desk.install("b", tags: ["y"], handle: "CD")
        let query = try query("?handle=ab&wait=2&timeout=60s")
        // Immediate tasks run until they wait.
        let isOver = Locked(false)
        let waiting = Task.immediate {
            await desk.hub.waitForDeliveries(query)
            isOver.withLock { $0 = true }
        }
        #expect(!isOver.withLock { $0 })
        for tag in ["x", "y", "y", "x"] {
            desk.send(tags: tag)
            desk.hub.settle()
        }
        await waiting.value
        #expect(try list(desk, "?handle=ab&wait=2").count == 2)
    }

    @Test func `a wait counts the deliveries that are already there, after the given number`() async throws {
        let desk = try Desk()
        desk.install("a")
        for _ in 0..<3 { desk.send() }
        desk.hub.settle()
        func time(of text: String) async throws -> Duration {
            let query = try query(text)
            return await ContinuousClock().measure { await desk.hub.waitForDeliveries(query) }
        }
        #expect(try await time(of: "?wait=3&timeout=60s") < .seconds(30))
        #expect(try await time(of: "?after=1&wait=2&timeout=60s") < .seconds(30))
        #expect(try await time(of: "?after=1&wait=3&timeout=100ms") >= .milliseconds(100))
        #expect(try await time(of: "?after=\(Int64.max)&wait=1&timeout=100ms") >= .milliseconds(100))
    }

    @Test func `a client that waits is answered when the delivery arrives, or when its time is over`() async throws {
        let desk = try Desk()
        try desk.hub.start()
        desk.install("a")
        let port = try #require(desk.hub.url?.split(separator: ":").last.flatMap { UInt16($0) })
        func client(_ query: String) throws -> RawClient {
            let client = try RawClient(port: port)
            client.send("GET /_emulator/deliveries\(query) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return client
        }
        let none = try await client("?wait=1&timeout=10ms").receiveResponse()
        #expect(none.body == #"{"last":0,"deliveries":[]}"#)
        let waiting = try client("?wait=1&timeout=60s")
        desk.send()
        let one = await waiting.receiveResponse()
        #expect(one.status == 200)
        #expect(one.body.hasPrefix(#"{"last":1,"deliveries":[{"sequence":1,"#), "\(one.body)")
        let wrong = try await client("?wait=x").receiveResponse()
        #expect(wrong.status == 400)
        await desk.hub.stop()
    }
}
