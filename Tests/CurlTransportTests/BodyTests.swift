import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

/// Bodies that cannot be sent at once.
@Suite(.timeLimit(.minutes(2)))
struct BodyTests {
    private static let large = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    @Test func `a large body is sent as its reader receives it, and other requests go on meanwhile`() async throws {
        let gate = Gate()
        let bodies = EventLog<[UInt8]>()
        let server = try SocketServer(receiveBuffer: 8192) { peer in
            while let head = peer.readHead() {
                if head.hasPrefix("POST /large") {
                    gate.wait()
                    bodies.append(peer.read(Self.large.count))
                }
                peer.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(
            [HTTPExchange(id: 1, request: HTTPRequest(method: .post, url: server.url("/large"), body: Self.large))],
            receiver: recorder
        )
        for _ in 0..<10 {
            #expect(try await transport.send(HTTPRequest(method: .post, url: server.url("/small"))).status == 201)
        }
        #expect(recorder.results.events.isEmpty)
        gate.open()
        let result = try await recorder.results.atLeast(1)

        #expect(result.first?.response?.status == 201)
        #expect(bodies.events == [Self.large])
        // The connection can be used again.
        #expect(try await transport.send(HTTPRequest(method: .post, url: server.url("/small"))).status == 201)
    }

    @Test(arguments: [0, 1, 14_335, 14_336, 14_337, 16_384, 65_537])
    func `a body of any size arrives whole`(count: Int) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let body = Array(Self.large.prefix(count))

        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(method: .put, url: server.url(), body: body)) }

        #expect(server.requests.events.map(\.body) == [body, body])
        #expect(server.accepted.events.count == 1)
    }

    @Test func `an answer that comes before the whole body was sent is returned`() async throws {
        let gate = Gate()
        let server = try SocketServer(receiveBuffer: 8192) { peer in
            guard let head = peer.readHead() else { return }
            let status = head.hasPrefix("POST /large") ? "413 Content Too Large" : "200 OK"
            peer.send("HTTP/1.1 \(status)\r\nContent-Length: 1\r\n\r\n\(peer.number)")
            // Reads no more and ends nothing.
            gate.wait()
        }
        defer {
            gate.open()
            server.stop()
        }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        let early = try await transport.send(
            HTTPRequest(method: .post, url: server.url("/large"), body: Self.large)
        )
        let next = try await transport.send(HTTPRequest(method: .post, url: server.url("/small")))

        #expect(early.status == 413)
        #expect(next.status == 200)
        #expect(next.body == Array("2".utf8))
    }

    @Test func `a large body that is not received in time ends with its request, which may have been received`()
        async throws
    {
        let gate = Gate()
        let server = try SocketServer(receiveBuffer: 8192) { peer in
            _ = peer.readHead()
            gate.wait()
        }
        defer {
            gate.open()
            server.stop()
        }
        let transport = try CurlTransport.forTests { $0.firstByteTimeout = .milliseconds(150) }
        defer { transport.shutdown() }

        let error = try await transport.failure(
            of: HTTPRequest(method: .post, url: server.url(), body: Self.large)
        )

        #expect(error.code == .timedOut)
        #expect(error.mayHaveBeenReceived)
    }
}
