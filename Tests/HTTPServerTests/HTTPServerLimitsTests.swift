import Dispatch
import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite("Clients that waste a server's connections", .timeLimit(.minutes(1)))
struct HTTPServerLimitsTests {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `a client is answered while a thousand connections are idle`() async throws {
        FileDescriptorLimit.raise()
        // Both ends of each connection are in this process.
        let count = min(1000, FileDescriptorLimit.current / 4)
        try await withServer(.init(maximumConnections: 2 * count)) { _ in
            .now(.text("here"))
        } body: { server in
            let idle = try (0..<count).map { _ in try RawClient(port: server.port) }
            for _ in 0..<10 {
                let client = try RawClient(port: server.port)
                client.send(Self.get)
                #expect(await client.receiveResponse().body == "here")
            }
            // None of them was closed.
            for client in [idle[0], idle[count / 2], idle[count - 1]] {
                client.send(Self.get)
                #expect(await client.receiveResponse().body == "here")
            }
        }
    }

    @Test(arguments: [128, 256, 300])
    func `many simultaneous requests are all answered`(count: Int) async throws {
        FileDescriptorLimit.raise()
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        let handler: Handler = { request in
            if request.target == "/hold" {
                ask.yield()
                // Blocks the server's thread, so that it finds all others at once afterwards.
                _ = release.wait(timeout: .now() + 30)
            }
            return .now(.text("here"))
        }
        try await withServer(handler: handler) { server in
            let clients = try (0..<count).map { _ in try RawClient(port: server.port) }
            func areAnswered() async -> Bool {
                await RawClient.receiveResponses(from: clients).allSatisfy { $0.body == "here" }
            }
            for client in clients { client.send(Self.get) }
            #expect(await areAnswered())
            let holder = try RawClient(port: server.port)
            holder.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in asked { break }
            for client in clients { client.send(Self.get) }
            release.signal()
            #expect(await areAnswered())
        }
    }

    @Test func `the connection that has been idle longest ends when one more comes`() async throws {
        try await withServer(.init(maximumConnections: 10)) { _ in
            .now(.text("here"))
        } body: { server in
            let clients = try (0..<10).map { _ in try RawClient(port: server.port) }
            // The oldest of all is younger after an answer.
            clients[0].send(Self.get)
            #expect(await clients[0].receiveResponse().body == "here")
            let next = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients[1...3] { #expect(await client.waitForEnd()) }
            for client in [clients[0], clients[4]] + next {
                client.send(Self.get)
                #expect(await client.receiveResponse().body == "here")
            }
        }
    }

    @Test func `a connection with a pending answer never ends`() async throws {
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let handler: Handler = { request in
            guard request.target == "/slow" else { return .now(.text("quick")) }
            return .later {
                for await _ in release { break }
                return .text("slow")
            }
        }
        try await withServer(.init(maximumConnections: 2), handler: handler) { server in
            let slow = try RawClient(port: server.port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in 0..<20 {
                let client = try RawClient(port: server.port)
                client.send(Self.get)
                #expect(await client.receiveResponse().body == "quick")
            }
            releaser.yield()
            #expect(await slow.receiveResponse().body == "slow")
        }
    }

    @Test func `incomplete requests end to make room, the oldest first`() async throws {
        try await withServer(.init(maximumConnections: 4)) { _ in
            .now(.text("here"))
        } body: { server in
            let halves = try (0..<4).map { _ in try RawClient(port: server.port) }
            for half in halves {
                half.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
                // So that the server has seen them in this order.
                #expect(await half.receive(through: "\r\n\r\n").contains("100"))
            }
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            #expect(await client.receiveResponse().body == "here")
            #expect(await halves[0].waitForEnd())
            halves[1].send("123456789")
            #expect(await halves[1].receiveResponse().body == "here")
        }
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1869f\r\n", "GET / HTTP/1.1\r\nX-Long: ",
        "GET /",
    ])
    func `a request that trickles is dropped, and others are answered meanwhile`(start: String) async throws {
        let configuration = HTTPServerConfiguration(idleTimeout: .seconds(1), requestTimeout: .milliseconds(300))
        try await withServer(configuration) { _ in
            .now(.text("here"))
        } body: { server in
            let slow = try RawClient(port: server.port)
            slow.send(start)
            // Ends with the test; bytes that it sends after the end of the connection are lost.
            let trickle = Task {
                while !Task.isCancelled {
                    slow.send("x")
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            defer { trickle.cancel() }
            let other = try RawClient(port: server.port)
            other.send(Self.get)
            #expect(await other.receiveResponse().body == "here")
            #expect(await slow.waitForEnd())
            trickle.cancel()
            await trickle.value
        }
    }

    @Test func `an answer may take longer than a request`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (allowed, allow) = AsyncStream<Void>.makeStream()
        let configuration = HTTPServerConfiguration(requestTimeout: .milliseconds(40))
        try await withServer(configuration) { request in
            guard request.target == "/slow" else { return .now(.text("here")) }
            return .later {
                ask.yield()
                for await _ in allowed { break }
                return .text("slow")
            }
        } body: { server in
            let slow = try RawClient(port: server.port)
            slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in asked { break }
            // A later request, which is dropped for taking too long: by then the other has taken longer.
            let half = try RawClient(port: server.port)
            half.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
            #expect(await half.waitForEnd())
            allow.yield()
            #expect(await slow.receiveResponse().body == "slow")
        }
    }

    @Test func `the work on an answer ends when its client has gone`() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        try await withServer { _ in
            .later {
                begin.yield()
                // Ends only when the task is cancelled.
                let (never, _) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                end.yield()
                return .text("late")
            }
        } body: { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send(Self.get)
            let other = try RawClient(port: server.port)
            other.send(Self.get)
            var beginnings = begun.makeAsyncIterator()
            for _ in 0..<2 { await beginnings.next() }
            client = nil
            for await _ in ended { break }
            withExtendedLifetime(other) {}
        }
    }

    @Test func `answers that nobody reads end for the next client`() async throws {
        let large = String(repeating: "x", count: 8 << 20)
        let configuration = HTTPServerConfiguration(maximumConnections: 1, answerTimeout: .milliseconds(300))
        try await withServer(configuration) { request in
            .now(.text(request.target == "/large" ? large : "here"))
        } body: { server in
            // As many as the limit, including connections that are just ending.
            var slow: [RawClient] = []
            for _ in 0..<17 {
                let client = try RawClient(port: server.port)
                client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await client.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
                slow.append(client)
            }
            let client = try RawClient(port: server.port)
            client.send(Self.get)
            #expect(await client.receiveResponse().body == "here")
            #expect(await slow[0].receiveToEnd().utf8.count < large.utf8.count)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000) + "\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000),
        "GET / HTTP/1.1\r\n" + (0..<5000).map { "X-\($0): value\r\n" }.joined() + "\r\n",
    ])
    func `a head that is too long is refused`(request: String) async throws {
        try await withServer { _ in
            .now(.text("here"))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send(request)
            #expect(await client.receive(through: "\r\n").hasPrefix("HTTP/1.1 431 "))
        }
    }
}
