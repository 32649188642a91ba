import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
    @Test func `a response has status, headers and body`() async throws {
        let server = try LoopbackServer { _ in
            [.answer("201 Created", headers: ["Location: /messages/7", "X-Two: a", "x-two:  b "], "made")]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: server.url()))

        #expect(response.status == 201)
        #expect(
            response.headers == [
                .init("Content-Length", "4"), .init("Location", "/messages/7"), .init("X-Two", "a"),
                .init("x-two", "b"),
            ]
        )
        #expect(response.body == Array("made".utf8))
    }

    @Test func `a request has exactly the given headers besides host, agent and length`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let request = HTTPRequest(
            method: .post,
            url: server.url("/a%20b/../c?x=1&api-version=2015-01"),
            headers: [
                .init("Authorization", "SharedAccessSignature sr=x"), .init("X-Empty", ""), .init("x-UTF8", "ü"),
            ],
            body: Array("{}".utf8)
        )

        _ = try await transport.send(request)

        let seen = try #require(server.requests.events.first)
        #expect(seen.line == "POST /a%20b/../c?x=1&api-version=2015-01 HTTP/1.1")
        #expect(
            seen.headerLines == [
                "Host: 127.0.0.1:\(server.port)", "User-Agent: newsflash", "Authorization: SharedAccessSignature sr=x",
                "X-Empty:", "x-UTF8: ü", "Content-Length: 2",
            ]
        )
        #expect(seen.body == Array("{}".utf8))
    }

    @Test func `the caller's own agent, type and accept headers win`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let headers: HTTPHeaders = [
            .init("User-Agent", "desk/1"), .init("Content-Type", "application/json"),
            .init("Accept", "application/xml"),
        ]

        _ = try await transport.send(
            HTTPRequest(method: .post, url: server.url(), headers: headers, body: [0x7b, 0x7d])
        )

        let seen = try #require(server.requests.events.first)
        for field in headers { #expect(seen.headerLines.contains("\(field.name): \(field.value)")) }
        #expect(seen.headerLines.count == 5)
    }

    @Test(arguments: [
        ("GET", "", false), ("DELETE", "", false), ("POST", "", true), ("PUT", "", true), ("PATCH", "", true),
        ("PUT", "body", true), ("DELETE", "body", true), ("GET", "body", true),
    ])
    func `any method is sent with and without a body`(method: String, body: String, hasLength: Bool) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .init(rawValue: method), url: server.url(), body: Array(body.utf8))

        let first = try await transport.send(request)
        // The used handle must have all options of the new request.
        let plain = try await transport.send(HTTPRequest(method: .get, url: server.url("/plain")))

        #expect(first.status == 200)
        #expect(plain.status == 200)
        let seen = server.requests.events
        #expect(seen[0].line == "\(method) / HTTP/1.1")
        #expect(seen[0].body == Array(body.utf8))
        #expect(seen[0].headerLines.contains("Content-Length: \(body.utf8.count)") == hasLength)
        #expect(seen[1].line == "GET /plain HTTP/1.1")
        #expect(seen[1].headerLines.count == 2)
    }

    @Test func `an answer to HEAD has headers and no body`() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .init(rawValue: "HEAD"), url: server.url()))

        #expect(response.headers["content-length"] == "5")
        #expect(response.body.isEmpty)
    }

    @Test func `a large body is sent without waiting for 100 Continue`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let body = [UInt8](repeating: 7, count: 3_000_000)

        _ = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: body))

        let seen = try #require(server.requests.events.first)
        #expect(seen.body == body)
        #expect(!seen.head.lowercased().contains("expect"))
    }

    @Test func `a redirect is returned as an answer`() async throws {
        let server = try LoopbackServer { _ in [.answer("302 Found", headers: ["Location: /elsewhere"])] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: server.url()))

        #expect(response.status == 302)
        #expect(server.requests.events.count == 1)
    }

    @Test func `an interim answer leaves no headers, and a trailer does not count as a header`() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: t\r\n\r\n"
        let server = try LoopbackServer { _ in [.send(interim + chunked)] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let response = try await transport.send(HTTPRequest(method: .get, url: server.url()))

        #expect(response.headers == [.init("Transfer-Encoding", "chunked")])
        #expect(response.body == Array("hi".utf8))
    }

    @Test(arguments: [("120", Duration.seconds(120)), ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10))])
    func `Retry-After is returned in both forms`(value: String, pause: Duration) async throws {
        let server = try LoopbackServer { _ in [.answer("429 Too Many Requests", headers: ["Retry-After: \(value)"])] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let now = try #require(Timestamp(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT"))

        let response = try await transport.send(HTTPRequest(method: .post, url: server.url(), body: [1]))

        #expect(response.status == 429)
        #expect(RetryAfter.pause(try #require(response.headers["retry-after"]), now: now) == pause)
    }
}
