import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ShutdownTests {
    @Test func `a shutdown ends each exchange once`() async throws {
        let server = try LoopbackServer { _ in [.hold] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 4 }
        let recorder = ResultRecorder()
        let exchanges = (1...10).map { id in
            HTTPExchange(id: id, request: HTTPRequest(method: .post, url: server.url("/\(id)"), body: [1]))
        }

        transport.start(exchanges, receiver: recorder)
        _ = try await server.requests.atLeast(4)
        transport.shutdown()

        // The thread has ended, so nothing can come later.
        let results = recorder.results.events
        #expect(results.map(\.id).sorted() == Array(1...10))
        #expect(results.allSatisfy { $0.error?.code == .cancelled })
        let reached = Set(server.requests.events.compactMap { UInt64($0.line.dropFirst(6).prefix { $0 != " " }) })
        #expect(Set(results.filter { $0.error?.mayHaveBeenReceived == true }.map(\.id)) == reached)
    }

    @Test func `a start after the end is answered with cancelled`() async throws {
        let transport = try CurlTransport.forTests()
        transport.shutdown()
        let recorder = ResultRecorder()
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:9/")

        transport.start(
            [HTTPExchange(id: 1, request: request), HTTPExchange(id: 2, request: request)],
            receiver: recorder
        )
        let results = try await recorder.results.atLeast(2)

        #expect(results.map(\.id) == [1, 2])
        #expect(results.allSatisfy { $0.error?.code == .cancelled && $0.error?.mayHaveBeenReceived == false })
        #expect(recorder.batches.events.count == 1)
    }

    @Test func `a shutdown is harmless twice and from a receiver`() async throws {
        let transport = try CurlTransport.forTests()
        let recorder = ResultRecorder { _ in transport.shutdown() }
        let impossible = HTTPRequest(method: .get, url: "nowhere")

        transport.start([HTTPExchange(id: 1, request: impossible)], receiver: recorder)
        _ = try await recorder.results.atLeast(1)
        transport.shutdown()
        transport.shutdown()

        #expect(recorder.results.events.count == 1)
    }

    @Test func `a released transport ends its requests in flight`() async throws {
        let server = try LoopbackServer { _ in [.hold] }
        defer { server.stop() }
        let recorder = ResultRecorder()

        do {
            let transport = try CurlTransport.forTests()
            let request = HTTPRequest(method: .get, url: server.url())
            transport.start([HTTPExchange(id: 1, request: request)], receiver: recorder)
            _ = try await server.requests.atLeast(1)
        }

        #expect(try await recorder.results.atLeast(1).first?.error?.code == .cancelled)
    }
}
