import NewsflashHTTPServer
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPServerStreamTests {
    @Test func `the pieces of a stream are sent as they come`() async throws {
        let (stream, source) = AsyncStream<[UInt8]>.makeStream()
        let handler: Handler = { _ in
            .now(.init(status: 200, headers: [("Content-Type", "text/event-stream")], body: .stream(stream)))
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.receive(through: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
            for piece in ["data: 1\n\n", "data: 2\n\n"] {
                source.yield(Array(piece.utf8))
                #expect(await client.receive(through: piece).hasSuffix(piece))
            }
            source.finish()
            #expect(await client.receive(through: "0\r\n\r\n") == "\r\n0\r\n\r\n")
        }
    }

    @Test func `a long stream is sent completely to a slow client`() async throws {
        let piece = [UInt8](repeating: 0x7A, count: 10_000)
        let handler: Handler = { _ in
            .later {
                let (stream, source) = AsyncStream<[UInt8]>.makeStream()
                for _ in 0..<500 { source.yield(piece) }
                source.finish()
                return HTTPServerResponse(status: 200, body: .stream(stream))
            }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let answer = await client.receiveToEnd()
            #expect(answer.utf8.count { $0 == 0x7A } == 5_000_000)
            #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test func `a stream's producer ends when the client has gone`() async throws {
        let (stream, source) = AsyncStream<[UInt8]>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        source.onTermination = { _ in end.finish() }
        try await withServer { _ in
            .now(.init(status: 200, body: .stream(stream)))
        } body: { server in
            var client: RawClient? = try RawClient(port: server.port)
            client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = await client?.receive(through: "\r\n\r\n")
            client = nil
            // The first writes after the end still fit into the system's buffer.
            let writer = Task {
                while !Task.isCancelled {
                    source.yield([65])
                    await Task.yield()
                }
            }
            for await _ in ended {}
            writer.cancel()
            await writer.value
        }
    }
}
