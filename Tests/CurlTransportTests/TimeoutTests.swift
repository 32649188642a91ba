import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimeoutTests {
    @Test func `without a first byte in time the result of the request is unknown`() async throws {
        let server = try LoopbackServer { _ in [.hold] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.firstByteTimeout = .milliseconds(150) }
        defer { transport.shutdown() }
        let clock = ContinuousClock()
        let start = clock.now

        let error = try await transport.failure(of: HTTPRequest(method: .post, url: server.url(), body: [1]))

        #expect(error.code == .timedOut)
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
        #expect(error.message.contains("0.15 s"))
        #expect(start.duration(to: clock.now) >= .milliseconds(150))
        #expect(server.requests.events.count == 1)
        // The connection is closed with the request.
        _ = try await server.ended.atLeast(1)
    }

    @Test func `the first byte stops the first time-out and not the total one`() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal"), .hold] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests {
            $0.firstByteTimeout = .milliseconds(100)
            $0.requestTimeout = .milliseconds(300)
        }
        defer { transport.shutdown() }
        let clock = ContinuousClock()
        let start = clock.now

        let error = try await transport.failure(of: HTTPRequest(method: .post, url: server.url(), body: [1]))

        #expect(error.code == .timedOut)
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.contains("0.3 s"))
        #expect(start.duration(to: clock.now) >= .milliseconds(300))
    }

    @Test func `a request that got no connection in time was surely not sent`() async throws {
        let server = try LoopbackServer { _ in [.hold] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests {
            $0.maximumConnectionsPerHost = 1
            $0.requestTimeout = .milliseconds(200)
        }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        let request = HTTPRequest(method: .post, url: server.url(), body: [1])

        transport.start(
            [HTTPExchange(id: 1, request: request), HTTPExchange(id: 2, request: request)],
            receiver: recorder
        )
        let results = try await recorder.results.atLeast(2)

        #expect(results.allSatisfy { $0.error?.code == .timedOut })
        #expect(Set(results.compactMap(\.error?.mayHaveBeenReceived)) == [true, false])
        #expect(server.requests.events.count == 1)
    }

    @Test func `a connection that is not ready in time was surely not used`() async throws {
        // Accepts and sends nothing, so that the TLS handshake hangs.
        let (listener, port) = try Loopback.listen()
        defer { Loopback.close(listener) }
        let transport = try CurlTransport.forTests { $0.connectTimeout = .milliseconds(150) }
        defer { transport.shutdown() }

        let error = try await transport.failure(
            of: HTTPRequest(method: .post, url: "https://127.0.0.1:\(port)/", body: [1])
        )

        #expect(error.code == .cannotConnect)
        #expect(!error.mayHaveBeenReceived)
    }

    @Test func `a slow answer within the time-outs arrives`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .wait(gate), .send("ok")]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        async let response = transport.send(HTTPRequest(method: .get, url: server.url()))
        _ = try await server.requests.atLeast(1)
        gate.open()

        #expect(try await response.body == Array("ok".utf8))
    }
}
