import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    /// A part of headers, path and query of the requests that no message may contain.
    private let secret = "hush-hush"

    private func post(_ url: String) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: url + "?sig=\(secret)",
            headers: [.init("Authorization", "SharedAccessSignature sig=\(secret)")],
            body: Array("{}".utf8)
        )
    }

    @Test func `a refused port was surely not reached`() async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let port = try Loopback.refusedPort()

        let error = try await transport.failure(of: post("http://127.0.0.1:\(port)/\(secret)"))

        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("127.0.0.1:\(port)"))
        #expect(!error.description.contains(secret))
    }

    @Test func `an unknown host was surely not reached`() async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: post("http://does-not-exist.invalid/\(secret)"))

        #expect(error.code == .cannotResolve)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("does-not-exist.invalid:80"))
        #expect(!error.description.contains(secret))
    }

    @Test(arguments: [
        ("nothing", [LoopbackServer.Step.close]),
        ("nothing, cut", [.reset]),
        ("half a status line", [.send("HTTP/1.1 20"), .close]),
        ("half the headers", [.send("HTTP/1.1 200 OK\r\nContent-Len"), .close]),
        ("half the body", [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]),
        ("half the body, cut", [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .reset]),
        ("half a chunk", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"), .close]),
    ])
    func `a request that loses its connection has no result`(what: String, steps: [LoopbackServer.Step]) async throws {
        let server = try LoopbackServer { _ in steps }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: post(server.url("/\(secret)")))

        #expect(error.code == .connectionLost, "\(what): \(error)")
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(!error.description.contains(secret))
        #expect(server.requests.events.count == 1)
    }

    @Test(
        arguments: [LoopbackServer.Step.close, .reset],
        [("POST", "body"), ("POST", ""), ("PATCH", "body"), ("POST", String(repeating: "large ", count: 50_000))]
    )
    func `a request on a connection that dies is written once`(
        ending: LoopbackServer.Step,
        what: (method: String, body: String)
    ) async throws {
        let server = try LoopbackServer { $0.line.contains("/warm") ? [.answer()] : [ending] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url("/warm"), body: [1]))
        let request = HTTPRequest(
            method: .init(rawValue: what.method),
            url: server.url("/once"),
            body: Array(what.body.utf8)
        )

        let error = try await transport.failure(of: request)

        #expect(error.code == .connectionLost)
        #expect(error.mayHaveBeenReceived)
        // Only a request after the second certainly comes after everything that the lost request left.
        _ = try await transport.send(HTTPRequest(method: .get, url: server.url("/warm/again")))
        let seen = server.requests.events
        #expect(seen.filter { $0.line.contains("/once") }.count == 1)
        #expect(seen.first { $0.line.contains("/once") }?.connection == 1, "the connection was reused")
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func `an idempotent request on a connection that dies is written again`(method: String) async throws {
        let server = try LoopbackServer { request in
            request.connection == 1 && request.line.contains("/twice") ? [.close] : [.answer()]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        _ = try await transport.send(HTTPRequest(method: .get, url: server.url("/warm")))

        let response = try await transport.send(HTTPRequest(method: .init(rawValue: method), url: server.url("/twice")))

        #expect(response.status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 1, 2])
    }

    @Test func `a connection that was closed while idle is replaced silently`() async throws {
        let server = try LoopbackServer { $0.line.contains("/last") ? [.answer(), .close] : [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        _ = try await transport.send(HTTPRequest(method: .post, url: server.url("/last"), body: [1]))
        _ = try await server.ended.atLeast(1)

        let response = try await transport.send(HTTPRequest(method: .post, url: server.url("/next"), body: [1]))

        #expect(response.status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    @Test func `a connection that was closed while an answer was passed on is replaced silently`() async throws {
        let server = try LoopbackServer { $0.line.contains("/last") ? [.answer(), .close] : [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let isClosed = Gate()
        let second = ResultRecorder()
        let next = HTTPExchange(id: 2, request: HTTPRequest(method: .post, url: server.url("/next"), body: [1]))
        // On the transport's thread, which does not check its sockets meanwhile.
        let first = ResultRecorder { _ in
            isClosed.wait()
            transport.start([next], receiver: second)
        }
        let last = HTTPExchange(id: 1, request: HTTPRequest(method: .post, url: server.url("/last"), body: [1]))
        transport.start([last], receiver: first)
        _ = try await server.ended.atLeast(1)
        isClosed.open()

        let results = try await second.results.atLeast(1)

        #expect(try results[0].result.get().status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    enum Excess: String, Sendable, CaseIterable {
        case bodyOfKnownLength, bodyOfUnknownLength, headers

        fileprivate var answer: String {
            switch self {
            case .bodyOfKnownLength:
                "HTTP/1.1 200 OK\r\nContent-Length: 2001\r\n\r\n" + String(repeating: "x", count: 2001)
            case .bodyOfUnknownLength: "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 2001)
            case .headers: "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Filler: 0123456789\r\n", count: 100) + "\r\n"
            }
        }
    }

    @Test(arguments: Excess.allCases)
    func `an answer beyond the limit is refused`(excess: Excess) async throws {
        let server = try LoopbackServer { _ in [.send(excess.answer), .close] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumResponseBytes = 2000 }
        defer { transport.shutdown() }

        let error = try await transport.failure(of: post(server.url()))

        #expect(error.code == .responseTooLarge)
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.contains("2000 bytes"))
    }

    @Test func `an answer within the limit is returned in full`() async throws {
        let body = String(repeating: "x", count: 1900)
        let server = try LoopbackServer { _ in [.answer("200 OK", body)] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumResponseBytes = 2000 }
        defer { transport.shutdown() }

        let response = try await transport.send(post(server.url()))

        #expect(response.body.count == 1900)
    }

    @Test func `an answer that is not HTTP is reported as such`() async throws {
        let server = try LoopbackServer { _ in [.send("SSH-2.0-OpenSSH_9.2\r\n"), .close] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let error = try await transport.failure(of: post(server.url()))

        #expect(error.code == .other)
        #expect(error.mayHaveBeenReceived)
    }
}
