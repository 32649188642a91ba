import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite("Connections cut on purpose", .timeLimit(.minutes(1)))
struct HTTPServerCutTests {
    @Test func `a connection is cut without an answer`() async throws {
        try await withServer { request in
            request.method == "POST" ? .abort : .now(.text("fine"))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
            #expect(await client.receiveToEnd() == "")
            let other = try RawClient(port: server.port)
            other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await other.receiveResponse().body == "fine")
        }
    }

    @Test(arguments: [false, true])
    func `half of an answer is sent before the connection ends`(isLater: Bool) async throws {
        let content = String(repeating: "0123456789", count: 200)
        let handler: Handler = { request in
            let body = request.target == "/empty" ? "" : content
            let response = HTTPServerResponse(
                status: 201,
                headers: [("X-Name", "value")],
                body: .bytes(Array(body.utf8)),
                cut: .halfway
            )
            return isLater ? .later { response } : .now(response)
        }
        try await withServer(handler: handler) { server in
            func answer(_ request: String) async throws -> String {
                let client = try RawClient(port: server.port)
                client.send(request + " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
                return await client.receiveToEnd()
            }
            let half = try await answer("POST /full")
            #expect(half.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(half.contains("X-Name: value\r\nContent-Length: 2000\r\n\r\n0123456789"))
            #expect(half.hasSuffix("\r\n\r\n" + content.prefix(1000)))
            let head = "HTTP/1.1 201 Created\r\nX-Name: value\r\nContent-Length: 0\r\n\r\n"
            #expect(try await answer("POST /empty") == String(Substring(head.utf8.prefix(head.utf8.count / 2))))
            #expect(try await !answer("HEAD /full").contains("\r\n\r\n"))
        }
    }

    @Test func `a connection is cut later without an answer, after earlier requests were answered`() async throws {
        let handler: Handler = { request in
            if request.target == "/whole" { return .now(.text("whole")) }
            return .later { HTTPServerResponse(status: 200, cut: .unanswered) }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send(["/whole", "/cut", "/whole"].map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            #expect(await client.receiveResponse().body == "whole")
            #expect(await client.receiveToEnd() == "")
        }
    }

    @Test func `half of a head is sent instead of a stream`() async throws {
        let handler: Handler = { _ in
            .now(.init(status: 200, body: .stream(AsyncStream { $0.finish() }), cut: .halfway))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.receiveToEnd() == "HTTP/1.1 200 OK\r\nCo")
        }
    }
}
