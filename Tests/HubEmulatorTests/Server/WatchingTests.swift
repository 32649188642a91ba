import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@testable import NewsflashHubEmulator

@Suite("the hub's stream of events, and the news desk of its console", .timeLimit(.minutes(1)))
struct WatchingTests {
    @Test func `sends, deliveries, faults, outcomes and a reset are streamed as they happen`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let watcher = try client(of: hub)
        watcher.send("GET /_emulator/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(await watcher.receive(through: ": connected\n\n").contains("text/event-stream"))

        hub.setFault(Fault(status: 503))
        try await receive(through: "event: faults\ndata: ", from: watcher)
        #expect(await watcher.receive(through: "\n").contains(#""status":503"#))
        hub.setFault(nil)
        #expect(await watcher.receive(through: "event: faults\ndata: []\n").hasSuffix("data: []\n"))

        hub.report(NewsOutcome(event: "e-1", story: "s-1", outcome: "sent", at: "2026-01-01T00:00:00Z"))
        try await receive(through: "event: outcome\ndata: ", from: watcher)
        #expect(
            await watcher.receive(through: "\n").contains(
                #"{"sequence":1,"event":"e-1","story":"s-1","outcome":"sent""#
            )
        )

        hub.reset()
        #expect(await watcher.receive(through: "event: reset\ndata: {}\n").contains("event: reset"))
        await hub.stop()
        #expect(await watcher.waitForEnd(), "the stream ends with the hub")
    }

    @Test func `the stream of a client that does not read ends, so that the client asks for what it missed`() async {
        let streams = EventStreams()
        let stream = streams.open()
        for _ in 0..<600 { streams.send([EventStreams.StreamEvent("deliveries") { $0.value(1) }]) }
        #expect(streams.isEmpty)
        var received = 0
        for await _ in stream { received += 1 }
        #expect(received == 512)
        let other = streams.open()
        streams.send([EventStreams.StreamEvent("deliveries") { $0.value(2) }])
        streams.finish()
        received = 0
        for await _ in other { received += 1 }
        #expect(received == 2)
    }

    @Test(arguments: ["/_emulator/events/", "/_EMULATOR/Events", "/_emulator//events?x=y"])
    func `the stream's address may be spelled like all other addresses`(path: String) async throws {
        let hub = HubEmulator()
        try hub.start()
        let watcher = try client(of: hub)
        watcher.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(await watcher.receive(through: "\r\n\r\n").contains("text/event-stream"))
        await hub.stop()
    }

    @Test func `a send is streamed when it is accepted and again when it is delivered to all`() async throws {
        let hub = HubEmulator()
        try hub.start()
        let watcher = try client(of: hub)
        watcher.send("GET /_emulator/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        try await receive(through: ": connected\n\n", from: watcher)
        let phone = EmulatedRequest(
            method: "PUT",
            target: "/newsroom/installations/p?api-version=2020-06",
            headers: try headers(hub),
            body: Array(
                #"{"platform":"apns","pushChannel":"AB","templates":{"t":{"body":"{\"aps\":{\"alert\":\"$(t)\"}}"}}}"#
                    .utf8
            )
        )
        #expect(hub.answer(phone).response.status == 200)
        var headers = try headers(hub)
        headers.append("ServiceBusNotification-Format", "template")
        let send = EmulatedRequest(
            method: "POST",
            target: "/newsroom/messages?api-version=2020-06",
            headers: headers,
            body: Array(#"{"t":"now"}"#.utf8)
        )
        #expect(hub.answer(send).response.status == 201)
        try await receive(through: "event: send\ndata: ", from: watcher)
        #expect(await watcher.receive(through: "\n").contains(#""state":"Enqueued""#))
        let rest = await watcher.receive(through: #""state":"Completed""#)
        #expect(rest.contains("event: send\ndata: "))
        try await receive(through: "event: deliveries\ndata: ", from: watcher)
        #expect(await watcher.receive(through: "\n") == #"{"last":1}"# + "\n")
        await hub.stop()
    }

    @Test func `watchers get a change before another change can be made`() async throws {
        let desk = try Desk()
        let stream = desk.hub.streams.open()
        // Work after a change runs without the lock, so another change may overtake it.
        _ = desk.hub.change { $0.reset() }
        desk.hub.streams.finish()
        var told = ""
        for await bytes in stream { told += String(decoding: bytes, as: UTF8.self) }
        #expect(told.hasSuffix("event: reset\ndata: {}\n\n"))
    }

    @Test(arguments: [
        ("text/plain", true, "415"), ("application/json", false, "409"),
        ("application/json; charset=utf-8", true, "202"),
        ("application/json", true, "202"),
    ])
    func `an event is given to the news desk if there is one`(type: String, hasDesk: Bool, status: String) async throws
    {
        let hub = HubEmulator()
        try hub.start()
        let desk = RecordingPublisher(problem: nil)
        if hasDesk { hub.setConsoleExtension(desk) }
        let answer = await post(#"{"id":"e-1"}"#, type: type, to: try client(of: hub))
        #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
        #expect(desk.events == (status == "202" ? [#"{"id":"e-1"}"#] : []))
        await hub.stop()
    }

    @Test func `an event that the news desk refuses is answered with the reason`() async throws {
        let hub = HubEmulator()
        try hub.start()
        hub.setConsoleExtension(RecordingPublisher(problem: "invalid.schema: /id: is missing"))
        let answer = await post("{}", type: "application/json", to: try client(of: hub))
        #expect(answer.head.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.body == #"{"error":"invalid.schema: /id: is missing"}"#)
        await hub.stop()
    }

    /// Reads up to a mark. Reading further could wait forever.
    private func receive(through mark: String, from watcher: RawClient) async throws {
        try #require(await watcher.receive(through: mark).hasSuffix(mark))
    }

    private func client(of hub: HubEmulator) throws -> RawClient {
        try RawClient(port: try #require(hub.url?.split(separator: ":").last.flatMap { UInt16($0) }))
    }

    private func post(_ event: String, type: String, to client: RawClient) async -> RawResponse {
        client.send(
            "POST /_emulator/news HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(event.utf8.count)\r\n\r\n\(event)"
        )
        return await client.receiveResponse()
    }

    /// Headers with a token that the hub gives to any client on this machine.
    private func headers(_ hub: HubEmulator) throws -> HTTPHeaders {
        let request = EmulatedRequest(method: "GET", target: "/_emulator/token", headers: [.init("Host", "127.0.0.1")])
        let answer = try JSONReader.read(hub.answer(request).response.body)
        let token = try #require(answer[member: "token"]?.string)
        return [.init("Host", "127.0.0.1"), .init("Authorization", token)]
    }
}

/// Accepts events, or refuses them with a problem.
private final class RecordingPublisher: ConsoleExtension {
    private let problem: String?
    private let taken = Locked<[String]>([])

    init(problem: String?) {
        self.problem = problem
    }

    var events: [String] { taken.withLock { $0 } }

    func writeFacts(to writer: inout JSONWriter) {
        writer.member("locales", ["en"])
    }

    func publish(_ event: [UInt8]) async -> String? {
        taken.withLock { $0.append(String(decoding: event, as: UTF8.self)) }
        return problem
    }
}
