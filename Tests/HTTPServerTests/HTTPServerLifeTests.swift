import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPServerLifeTests {
    @Test func `a port in use is reported`() async throws {
        try await withServer { _ in
            .abort
        } body: { server in
            let error = #expect(throws: HTTPServerError.self) {
                try HTTPServer(.init(port: server.port)) { _ in .abort }
            }
            #expect(error?.code == .portInUse)
            #expect(error?.message.contains("127.0.0.1:\(server.port)") == true)
        }
    }

    @Test(arguments: ["not a host", "*"])
    func `an unknown host is reported`(host: String) {
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(.init(host: host)) { _ in .abort }
        }
        #expect(error?.code == .cannotResolve)
        #expect(error?.message.contains("0.0.0.0 for all") == true)
    }

    @Test func `a name with two addresses gets its IPv4 address, or a report that its port is in use`() async throws {
        try await withServer(.init(host: "localhost")) { _ in
            .now(.text("here"))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.receiveResponse().body == "here")
            let error = #expect(throws: HTTPServerError.self) {
                try HTTPServer(.init(host: "localhost", port: server.port)) { _ in .abort }
            }
            #expect(error?.code == .portInUse)
        }
    }

    @Test func `an address of another machine is reported`() {
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPServer(.init(host: "192.0.2.1")) { _ in .abort }
        }
        #expect(error?.code == .addressNotAvailable)
    }

    @Test func `a server stops while replies are pending and streams are silent`() async throws {
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (stream, source) = AsyncStream<[UInt8]>.makeStream()
        let handler: Handler = { request in
            guard request.target == "/later" else { return .now(.init(status: 200, body: .stream(stream))) }
            return .later {
                begin.yield()
                // Ends only by cancellation.
                for await _ in AsyncStream<Void>(unfolding: { await forever() }) {}
                return .text("too late")
            }
        }
        let server = try HTTPServer(.init(), handler: handler)
        let late = try RawClient(port: server.port)
        late.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n")
        let streaming = try RawClient(port: server.port)
        streaming.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        for await _ in begun { break }
        #expect(await streaming.receive(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
        await server.stop()
        #expect(await late.receiveToEnd() == "")
        #expect(await streaming.receiveToEnd() == "")
        #expect(throws: RawClientError.self) { try RawClient(port: server.port) }
        source.finish()
        await server.stop()
    }

    @Test func `the port is freed with the server's last owner`() async throws {
        var server: HTTPServer? = try HTTPServer(.init()) { _ in .now(.text("here")) }
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.receiveResponse().body == "here")
        server = nil
        #expect(throws: RawClientError.self) { try RawClient(port: port) }
    }

    @Test(arguments: ["", "GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"])
    func `a silent connection is closed`(bytes: String) async throws {
        try await withServer(.init(idleTimeout: .seconds(1))) { _ in
            .abort
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send(bytes)
            #expect(await client.receiveToEnd() == "")
        }
    }

    @Test(arguments: [
        "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nbroken header\r\n\r\n", "GET /\r\n\r\n", "\0\0\0\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /" + String(repeating: "x", count: 200_000) + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
    ])
    func `a server survives whatever a client sends`(bytes: String) async throws {
        try await withServer(.init(idleTimeout: .seconds(1))) { _ in
            .now(.text("alive"))
        } body: { server in
            let client = try RawClient(port: server.port)
            client.send(bytes)
            client.finishSending()
            _ = await client.receiveToEnd()
            let other = try RawClient(port: server.port)
            other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await other.receiveResponse().body == "alive")
        }
    }

    @Test func `a server survives clients that leave before the answer`() async throws {
        try await withServer { _ in
            .later { .text(String(repeating: "x", count: 100_000)) }
        } body: { server in
            for _ in 0..<50 {
                let client = try RawClient(port: server.port)
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            }
            let last = try RawClient(port: server.port)
            last.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await last.receiveResponse().body.utf8.count == 100_000)
        }
    }
}

/// Waits until the task is cancelled.
private func forever() async -> Void? {
    let (stream, _) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    return nil
}
