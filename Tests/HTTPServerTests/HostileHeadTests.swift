import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite("Heads that two servers may parse differently", .timeLimit(.minutes(1)))
struct HostileHeadTests {
    private static let cases = HostileHead.all(at: .init(get: "/get", post: "/post?a=b"))

    @Test func `each connection is parsed strictly or ended`() async throws {
        try await withServer { request in
            .now(.text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"))
        } body: { server in
            for hostile in Self.cases {
                let client = try RawClient(port: server.port)
                client.send(hostile.bytes)
                let problem = await hostile.problem(with: client.receiveToEnd(), isEcho: true)
                #expect(problem == nil, "\(hostile)")
            }
        }
    }

    @Test func `ambiguous heads are parsed alike byte by byte`() async throws {
        try await withServer { request in
            .now(.text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"))
        } body: { server in
            for hostile in Self.cases where hostile.bytes.count < 1000 {
                let client = try RawClient(port: server.port)
                for byte in hostile.bytes { client.send([byte]) }
                let problem = await hostile.problem(with: client.receiveToEnd(), isEcho: true)
                #expect(problem == nil, "\(hostile)")
            }
        }
    }

    @Test func `the handler is not called for a refused head`() async throws {
        try await withServer(
            decide: { _ in
                Issue.record("the handler was asked")
                return .answer(.abort)
            },
            refuse: { head, refusal in
                HTTPServerResponse(
                    status: refusal.status,
                    headers: [("X-Why", "\(refusal) \(head.client?.description ?? "")")]
                )
            },
            body: { server in
                let client = try RawClient(port: server.port)
                client.send("GET / HTTP/1.1\r\nHost: x\r\nX(: y\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = await client.receiveToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 400 "))
                #expect(answer.contains("Connection: close\r\n"))
                #expect(answer.contains("X-Why: malformed(NewsflashHTTPServer.MalformedHead.fieldName) 127.0.0.1\r\n"))
            }
        )
    }

    @Test func `more than sixty heads are refused by a strict parser`() {
        let refused = Self.cases.filter { $0.outcome == .refused && $0.bytes.count < 2000 }
        #expect(refused.count > 60)
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
        // The server is stricter with a body that is too long.
        for hostile in refused where hostile.name != "a body beyond any limit" {
            let read = StrictRequestReader.read(hostile.bytes)
            #expect(read.requests.isEmpty && read.end != .closed, "\(hostile)")
        }
    }
}
