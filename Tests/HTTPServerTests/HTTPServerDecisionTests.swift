import NewsflashBasics
import NewsflashTestSupport
import Testing

@testable import NewsflashHTTPServer

@Suite("Decisions by the head of a request", .timeLimit(.minutes(1)))
struct HTTPServerDecisionTests {
    private static func post(_ path: String = "/", length: Int) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static let echo: @Sendable (HTTPServerRequest) -> HTTPServerReply = { request in
        .now(.text(String(decoding: request.body, as: UTF8.self)))
    }

    @Test func `the decision gets method, target, fields and client before any of the body`() async throws {
        try await withServer(
            decide: { head in
                let name = head.first(named: "X") ?? ""
                return .answer(.now(.text("\(head.method) \(head.target) \(name) \(head.client?.description ?? "")")))
            },
            body: { server in
                let client = try RawClient(port: server.port)
                client.send("PUT /a?b HTTP/1.1\r\nHost: x\r\nX: y \t\r\nContent-Length: 1000000\r\n\r\n")
                #expect(await client.receiveResponse().body == "PUT /a?b y 127.0.0.1")
                #expect(await client.waitForEnd())
            }
        )
    }

    @Test func `a short unwanted body is discarded, and the connection goes on`() async throws {
        try await withServer(
            decide: { head in
                .answer(head.target == "/later" ? .later { .text("later") } : .now(.text("now", status: 401)))
            },
            body: { server in
                let client = try RawClient(port: server.port)
                for (path, text) in [("/now", "now"), ("/later", "later"), ("/now", "now")] {
                    client.send(Self.post(path, length: 64 << 10))
                    client.send([UInt8](repeating: 0x78, count: 64 << 10))
                    #expect(await client.receiveResponse().body == text)
                }
            }
        )
    }

    @Test(arguments: [
        "Content-Length: 65537", "Transfer-Encoding: chunked", "Content-Length: 5\r\nExpect: 100-continue",
    ])
    func `a request is refused at once if its body is long, of unknown length, or waits`(field: String) async throws {
        try await withServer(
            decide: { _ in .answer(.now(.text("no", status: 401))) },
            body: { server in
                let client = try RawClient(port: server.port)
                client.send("POST / HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n")
                let answer = await client.receiveToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 401 "))
                #expect(answer.contains("Connection: close\r\n"))
            }
        )
    }

    @Test func `each request may have the body size that its decision allows`() async throws {
        try await withServer(
            decide: { head in .receive(upTo: head.target == "/large" ? 100_000 : 5, Self.echo) },
            refuse: { head, refusal in .text("\(head.target) \(refusal)", status: refusal.status) },
            body: { server in
                let client = try RawClient(port: server.port)
                let large = String(repeating: "x", count: 100_000)
                for (path, text) in [("/large", large), ("/", "12345"), ("/large", large), ("/", "")] {
                    client.send(Self.post(path, length: text.utf8.count) + text)
                    #expect(await client.receiveResponse().body == text)
                }
                client.send(Self.post(length: 6))
                let refused = await client.receiveToEnd()
                #expect(refused.hasPrefix("HTTP/1.1 413 "))
                #expect(refused.hasSuffix("\r\n\r\n/ tooLarge"))
                // Chunks that become too many.
                let chunked = try RawClient(port: server.port)
                chunked.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n0\r\n\r\n")
                #expect(await chunked.receiveToEnd().hasPrefix("HTTP/1.1 413 "))
            }
        )
    }

    @Test func `a later decision leaves the body in the network until then`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (release, releaser) = AsyncStream<Void>.makeStream()
        try await withServer(
            decide: { head in
                .later {
                    ask.yield()
                    for await _ in release { break }
                    return head.target == "/" ? .receive(upTo: 10, Self.echo) : .answer(.now(.text("no", status: 401)))
                }
            },
            body: { server in
                for (path, status, body) in [("/", 200, "12345"), ("/no", 401, "no"), ("/", 200, "12345")] {
                    let client = try RawClient(port: server.port)
                    client.send(Self.post(path, length: 5) + "12345")
                    for await _ in asked { break }
                    releaser.yield()
                    let answer = await client.receiveResponse()
                    #expect(answer.status == status)
                    #expect(answer.body == body)
                }
            }
        )
    }

    @Test func `100 Continue is sent only for a body that is received`() async throws {
        try await withServer(
            decide: { head in .later { head.target == "/" ? .receive(upTo: 10, Self.echo) : .answer(.now(.text("no"))) }
            },
            body: { server in
                for path in ["/", "/no"] {
                    let client = try RawClient(port: server.port)
                    client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
                    let first = await client.receive(through: "\r\n")
                    #expect(first == (path == "/" ? "HTTP/1.1 100 Continue\r\n" : "HTTP/1.1 200 OK\r\n"))
                }
            }
        )
    }

    @Test func `the work on a decision ends when the client goes or the server stops`() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let server = try HTTPServer(
            .init(),
            decide: { _ in
                .later {
                    begin.yield()
                    // Ends only when the task is cancelled.
                    let (never, _) = AsyncStream<Void>.makeStream()
                    for await _ in never {}
                    end.yield()
                    return .answer(.now(.text("late")))
                }
            },
            refuse: { $1.response }
        )
        var client: RawClient? = try RawClient(port: server.port)
        client?.send(Self.post(length: 5))
        for await _ in begun { break }
        client = nil
        for await _ in ended { break }
        let other = try RawClient(port: server.port)
        other.send(Self.post(length: 5))
        for await _ in begun { break }
        await server.stop()
        for await _ in ended { break }
        #expect(await other.receiveToEnd() == "")
    }

    @Test func `a body beyond the budget is answered with 503 until another's answer is sent`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (release, releaser) = AsyncStream<Void>.makeStream()
        try await withServer(
            .init(bodyBudget: 1000),
            decide: { head in
                .receive(upTo: 900) { request in
                    guard head.target == "/hold" else { return .now(.text("\(request.body.count)")) }
                    return .later {
                        ask.yield()
                        for await _ in release { break }
                        return .text("held")
                    }
                }
            },
            body: { server in
                let holder = try RawClient(port: server.port)
                holder.send(Self.post("/hold", length: 600) + String(repeating: "x", count: 600))
                for await _ in asked { break }
                let client = try RawClient(port: server.port)
                for length in [500, 400, 401, 0] {
                    client.send(Self.post(length: length) + String(repeating: "x", count: length))
                    let answer = await client.receiveResponse()
                    #expect(answer.status == (length > 400 ? 503 : 200), "\(length)")
                    #expect(answer.head.contains("Retry-After: 1\r\n") == (length > 400))
                }
                // Chunks count with their maximum size.
                let chunked = try RawClient(port: server.port)
                chunked.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
                #expect(await chunked.receiveToEnd().hasPrefix("HTTP/1.1 503 "))
                releaser.yield()
                #expect(await holder.receiveResponse().body == "held")
                // Over the same connection, so that the server has finished the answer before.
                holder.send(Self.post(length: 900) + String(repeating: "x", count: 900))
                #expect(await holder.receiveResponse().body == "900")
            }
        )
    }

    @Test func `room is returned for bodies that never arrive completely`() async throws {
        try await withServer(
            .init(bodyBudget: 1000, requestTimeout: .milliseconds(60)),
            decide: { _ in .receive(upTo: 1000, Self.echo) },
            body: { server in
                for _ in 0..<3 {
                    let half = try RawClient(port: server.port)
                    half.send(Self.post(length: 1000) + "x")
                    #expect(await half.waitForEnd())
                }
                let client = try RawClient(port: server.port)
                client.send(Self.post(length: 1000) + String(repeating: "x", count: 1000))
                #expect(await client.receiveResponse().status == 200)
            }
        )
    }

    @Test func `a connection beyond the limit of one address is closed, and no other`() async throws {
        try await withServer(.init(maximumConnectionsPerAddress: 3)) { _ in
            .now(.text("here"))
        } body: { server in
            var clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await client.receiveResponse().body == "here")
            }
            #expect(await (try RawClient(port: server.port)).receiveToEnd() == "")
            clients[0].send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(await clients[0].waitForEnd())
            clients[0] = try RawClient(port: server.port)
            for client in clients {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(await client.receiveResponse().body == "here")
            }
        }
    }

    @Test func `connections are counted by address, and by network for IPv6`() throws {
        var counts = AddressCounts(maximum: 2)
        let one = try #require(ClientAddress("2001:db8::1"))
        let neighbour = try #require(ClientAddress("2001:db8::2"))
        let other = try #require(ClientAddress("2001:db8:0:1::1"))
        counts.open(one)
        counts.open(neighbour)
        #expect(!counts.admits(one))
        #expect(counts.admits(other))
        counts.close(neighbour)
        #expect(counts.admits(one))
        counts.close(one)
        counts.close(one)
        #expect(counts.admits(one))
        #expect(counts.admits(nil))
        #expect(AddressCounts(maximum: nil).admits(one))
    }

    @Test func `the budget is never exceeded, whatever is requested`() {
        var budget = BodyBudget(maximum: 10)
        let taken = [4, 6, 1, .max].map { budget.reserve($0) }
        #expect(taken == [true, true, false, false])
        budget.release(6)
        #expect(budget.used == 4)
        let again = budget.reserve(6)
        #expect(again)
    }
}
