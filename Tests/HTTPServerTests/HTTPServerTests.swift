import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPServerTests {
    @Test func `many requests on one connection are answered`() async throws {
        try await withServer { request in
            .now(.text("\(request.method) \(request.target)"))
        } body: { server in
            let client = try RawClient(port: server.port)
            for number in 1...3 {
                client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = await client.receiveResponse()
                #expect(response.status == 200)
                #expect(response.body == "GET /\(number)")
            }
        }
    }

    @Test func `pipelined requests are answered in their order`() async throws {
        let handler: Handler = { request in
            request.target == "/slow" ? .later { .text(request.target) } : .now(.text(request.target))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send(["/a", "/slow", "/b", "/slow"].map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for target in ["/a", "/slow", "/b", "/slow"] {
                #expect(await client.receiveResponse().body == target)
            }
        }
    }

    @Test func `the target is kept as sent`() async throws {
        let handler: Handler = { request in
            .now(.text("\(request.target)\n\(request.rawPath)\n\(request.rawQuery ?? "none")"))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /a%2Fb/%7Bc%7D/?x=%20+1&y&x=2 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(
                await client.receiveResponse().body == "/a%2Fb/%7Bc%7D/?x=%20+1&y&x=2\n/a%2Fb/%7Bc%7D/\nx=%20+1&y&x=2"
            )
            client.send("GET http://hub.example:80/a%20b HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.receiveResponse().body == "http://hub.example:80/a%20b\n/a%20b\nnone")
        }
    }

    @Test(arguments: [
        ("/", "/", nil), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"), ("http://h", "/", nil), ("https://h?q", "/", "q"),
        ("*", "*", nil), ("/a:b//c?d", "/a:b//c", "d"),
    ])
    func `path and query are split from a target`(target: String, path: String, query: String?) {
        let request = HTTPServerRequest(method: "GET", target: target)
        #expect(request.rawPath == path)
        #expect(request.rawQuery == query)
    }

    @Test func `headers are passed in order and found without case`() async throws {
        let handler: Handler = { request in
            let all = request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            return .now(
                .text("\(all)|\(request.first(named: "CONTENT-type") ?? "")|\(request.first(named: "y") ?? "-")")
            )
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nX-Tag: 1\r\nx-tag: \u{e9}\r\n\r\n")
            #expect(await client.receiveResponse().body == "Host=x;Content-Type=a/b;X-Tag=1;x-tag=\u{e9}|a/b|-")
        }
    }

    @Test func `a body in pieces is collected`() async throws {
        try await withServer { request in
            .now(.text(String(decoding: request.body, as: UTF8.self)))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
            #expect(await client.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            client.send("abcde")
            client.send("fghij")
            #expect(await client.receiveResponse().body == "abcdefghij")
            client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            client.send("4\r\ndefg\r\n0\r\n\r\n")
            #expect(await client.receiveResponse().body == "abcdefg")
        }
    }

    @Test(arguments: [
        "Content-Length: 1001\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n1\r\ny\r\n0\r\n\r\n",
    ])
    func `a body above the limit is refused`(rest: String) async throws {
        let handler: Handler = { _ in
            Issue.record("the handler was called")
            return .abort
        }
        try await withServer(maximumBodyBytes: 1000, handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\n" + rest)
            let answer = await client.receiveToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer)")
        }
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
        try await withServer(maximumBodyBytes: 1000) { request in
            .now(.text("\(request.body.count)"))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send(
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000)
            )
            #expect(await client.receiveResponse().body == "1000")
        }
    }

    @Test func `the result of a task is sent later`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (release, releaser) = AsyncStream<Void>.makeStream()
        let handler: Handler = { request in
            guard request.target == "/later" else { return .now(.text("now")) }
            return .later {
                ask.yield()
                for await _ in release { break }
                return HTTPServerResponse(status: 202, headers: [("X-Made", "late")], body: .bytes(Array("later".utf8)))
            }
        }
        try await withServer(handler: handler) { server in
            let late = try RawClient(port: server.port)
            late.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in asked { break }
            let other = try RawClient(port: server.port)
            other.send("GET /now HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await other.receiveResponse().body == "now")
            releaser.yield()
            let response = await late.receiveResponse()
            #expect(response.status == 202)
            #expect(response.head.contains("X-Made: late\r\n"))
            #expect(response.body == "later")
        }
    }

    @Test func `HEAD is answered with the header only`() async throws {
        let handler: Handler = { request in
            guard request.target == "/stream" else { return .now(.text("four")) }
            return .now(HTTPServerResponse(status: 200, body: .stream(AsyncStream { $0.finish() })))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("HEAD /bytes HTTP/1.1\r\nHost: x\r\n\r\nHEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = await client.receiveResponse(isHead: true)
            #expect(response.status == 200)
            #expect(response.head.contains("Content-Length: 4\r\n"))
            let last = await client.receiveToEnd()
            #expect(last.hasPrefix("HTTP/1.1 200"))
            #expect(last.contains("Connection: close\r\n"))
        }
    }

    @Test func `a header that would split the answer is answered with 500`() async throws {
        let handler: Handler = { _ in .now(.init(status: 200, headers: [("X", "a\r\nSet-Cookie: b")])) }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = await client.receiveResponse()
            #expect(response.status == 500)
            #expect(!response.head.contains("Set-Cookie"))
        }
    }

    @Test func `two hundred connections are served at once`() async throws {
        try await withServer { request in
            .later { .text(request.target) }
        } body: { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
                for (number, client) in clients.enumerated() {
                    group.addTask {
                        client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                        return await client.receiveResponse().body == "/\(number)"
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }
}
