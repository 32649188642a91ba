import Glibc
import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

/// Answers as servers split them, and their effects on connections.
@Suite(.timeLimit(.minutes(2)))
struct FramingTests {
    private static let chunked =
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nmade\r\n0\r\nX-Trailer: t\r\n\r\n"
    private static let counted = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nmade"

    /// The steps for `/chunked/7`: the answer, split at 7.
    private static func halves(for request: LoopbackServer.Request) -> [String] {
        let parts = request.line.split(separator: " ")[1].split(separator: "/")
        let text = (parts[0] == "chunked" ? chunked : counted).utf8
        let cut = Int(parts[1]) ?? 0
        return [text.prefix(cut), text.dropFirst(cut)].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [("chunked", chunked.utf8.count), ("counted", counted.utf8.count)])
    func `an answer split at any byte arrives`(kind: String, count: Int) async throws {
        let server = try LoopbackServer { request in
            let halves = Self.halves(for: request)
            return [.send(halves[0]), .run { _ = sched_yield() }, .send(halves[1])]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for cut in 0..<count {
            let response = try await transport.send(HTTPRequest(method: .post, url: server.url("/\(kind)/\(cut)")))

            #expect(response.status == 201)
            #expect(response.body == Array("made".utf8))
        }
        #expect(server.accepted.events.count == 1)
    }

    @Test(arguments: [("chunked", chunked.utf8.count), ("counted", counted.utf8.count)])
    func `half an answer is an error, wherever it ends`(kind: String, count: Int) async throws {
        let server = try LoopbackServer { request in
            [.send(Self.halves(for: request)[0]), .close]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for cut in 0..<count {
            let error = try await transport.failure(
                of: HTTPRequest(method: .post, url: server.url("/\(kind)/\(cut)"), body: [1])
            )

            #expect(error.code == .connectionLost, "cut at \(cut): \(error)")
            #expect(error.mayHaveBeenReceived)
        }
        #expect(server.requests.events.count == count)
    }

    @Test func `an answer sent byte by byte arrives`() async throws {
        let server = try SocketServer { peer in
            while peer.readHead() != nil {
                for byte in Self.chunked.utf8 { peer.send(String(decoding: [byte], as: UTF8.self)) }
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for _ in 0..<5 {
            #expect(
                try await transport.send(HTTPRequest(method: .get, url: server.url())).body == Array("made".utf8)
            )
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", false),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", true),
        ("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", true),
    ])
    func `a connection is kept if both sides want it`(answer: String, isKept: Bool) async throws {
        let server = try LoopbackServer { _ in [.send(answer)] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for _ in 0..<3 {
            #expect(try await transport.send(HTTPRequest(method: .post, url: server.url())).body == Array("hi".utf8))
        }

        #expect(server.requests.events.map(\.connection) == (isKept ? [1, 1, 1] : [1, 2, 3]))
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\nall of it", "HTTP/1.0 200 OK\r\n\r\nall of it"])
    func `an answer without a length goes to the end of its connection`(answer: String) async throws {
        let server = try LoopbackServer { _ in [.send(answer), .close] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: server.url()))

        #expect(response.body == Array("all of it".utf8))
    }

    @Test func `a truncated answer without a length is an error`() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\n\r\nall of"), .reset] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .get, url: server.url()))

        #expect(error.code == .connectionLost)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n", "a line does not end with CR LF"),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "the name of a header is not a token"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "both Transfer-Encoding"),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "switches to another protocol"),
    ])
    func `an answer with two possible meanings is refused`(answer: String, reason: String) async throws {
        let server = try LoopbackServer { request in request.connection == 1 ? [.send(answer)] : [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: HTTPRequest(method: .post, url: server.url(), body: [1]))

        #expect(error.code == .other)
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.hasPrefix("the answer of 127.0.0.1:\(server.port) cannot be read as HTTP: "))
        #expect(error.message.contains(reason))
        // Its connection is not used again.
        #expect(try await transport.send(HTTPRequest(method: .post, url: server.url())).status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    @Test func `bytes after an answer are discarded, and the answer is returned`() async throws {
        let answer = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 Oh\r\n"
        let server = try LoopbackServer { request in request.connection == 1 ? [.send(answer)] : [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        #expect(try await transport.send(HTTPRequest(method: .post, url: server.url(), body: [1])).status == 201)
        #expect(try await transport.send(HTTPRequest(method: .post, url: server.url())).status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    @Test func `unrequested bytes end their connection, and do not become an answer`() async throws {
        let unasked = Gate()
        let ended = EventLog<Int>()
        let server = try SocketServer { peer in
            guard peer.readHead() != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(peer.number)")
            guard peer.number == 1 else { return peer.readToEnd() }
            unasked.wait()
            peer.send("HTTP/1.1 500 Not Asked\r\nContent-Length: 1\r\n\r\n0")
            peer.readToEnd()
            ended.append(peer.number)
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .post, url: server.url())

        let first = try await transport.send(request)
        unasked.open()
        _ = try await ended.atLeast(1)
        let second = try await transport.send(request)

        #expect(first.body == Array("1".utf8))
        #expect(second.status == 200)
        #expect(second.body == Array("2".utf8))
    }
}
