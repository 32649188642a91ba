import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    private static func exchanges(_ ids: ClosedRange<UInt64>, to server: LoopbackServer) -> [HTTPExchange] {
        ids.map { id in
            HTTPExchange(id: id, request: HTTPRequest(method: .post, url: server.url("/\(id)"), body: [1]))
        }
    }

    private static func paths(of server: LoopbackServer) -> Set<UInt64> {
        Set(server.requests.events.compactMap { UInt64($0.line.dropFirst(6).prefix { $0 != " " }) })
    }

    @Test func `a cancelled request in flight ends at once, and may have been received`() async throws {
        let server = try LoopbackServer { _ in [.hold] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(Self.exchanges(1...1, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(1)
        transport.cancel([1], receiver: recorder)
        let results = try await recorder.results.atLeast(1)

        #expect(results.map(\.id) == [1])
        #expect(results.first?.error?.code == .cancelled)
        #expect(results.first?.error?.mayHaveBeenReceived == true)
        // The server sees it too.
        _ = try await server.ended.atLeast(1)
    }

    @Test func `requests that wait for a connection are surely not sent, and the others go on`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 1 }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(Self.exchanges(1...6, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(1)
        let first = try #require(Self.paths(of: server).first)
        let waiting = Set(UInt64(1)...6).subtracting([first])
        let unwanted = Array(waiting.sorted().prefix(3))
        transport.cancel(unwanted, receiver: recorder)
        let cancelled = try await recorder.results.atLeast(3)
        gate.open()
        let all = try await recorder.results.atLeast(6)

        #expect(cancelled.map(\.id).sorted() == unwanted)
        #expect(cancelled.allSatisfy { $0.error?.code == .cancelled && $0.error?.mayHaveBeenReceived == false })
        #expect(all.map(\.id).sorted() == Array(1...6))
        #expect(all.dropFirst(3).allSatisfy { $0.response?.status == 200 })
        #expect(Self.paths(of: server) == Set(1...6).subtracting(unwanted))
    }

    @Test func `a request that is cancelled right after its start is not written`() async throws {
        let server = try LoopbackServer { _ in [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let inner = ResultRecorder()
        let exchanges = Self.exchanges(1...20, to: server)
        // A receiver runs on the transport's thread, so both commands are in the inbox together.
        let outer = ResultRecorder { _ in
            transport.start(exchanges, receiver: inner)
            transport.cancel(Array(1...20), receiver: inner)
        }

        transport.start([HTTPExchange(id: 1, request: HTTPRequest(method: .get, url: "nowhere"))], receiver: outer)
        let results = try await inner.results.atLeast(20)

        #expect(results.allSatisfy { $0.error?.code == .cancelled && $0.error?.mayHaveBeenReceived == false })
        #expect(results.map(\.id).sorted() == Array(1...20))
        transport.shutdown()
        #expect(inner.results.events.count == 20)
        #expect(server.requests.events.isEmpty)
    }

    @Test func `an answer that has already arrived wins`() async throws {
        let (answering, leaving) = (Gate(), Gate())
        let server = try LoopbackServer { _ in [.wait(answering), .answer("201 Created")] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        let standing = ResultRecorder { _ in leaving.wait() }

        transport.start(Self.exchanges(1...1, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(1)
        // The transport's thread is blocked in a receiver while the answer comes and the request is cancelled.
        transport.start([HTTPExchange(id: 2, request: HTTPRequest(method: .get, url: "nowhere"))], receiver: standing)
        _ = try await standing.results.atLeast(1)
        answering.open()
        _ = try await server.answered.atLeast(1)
        transport.cancel([1], receiver: recorder)
        leaving.open()

        #expect(try await recorder.results.atLeast(1).first?.response?.status == 201)
    }

    @Test func `a cancellation ends only the receiver's own requests`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let (one, other) = (ResultRecorder(), ResultRecorder())

        transport.start(Self.exchanges(1...1, to: server), receiver: one)
        transport.start(Self.exchanges(1...1, to: server), receiver: other)
        _ = try await server.requests.atLeast(2)
        transport.cancel([1], receiver: one)
        _ = try await one.results.atLeast(1)
        gate.open()

        #expect(try await other.results.atLeast(1).first?.response?.status == 200)
        #expect(one.results.events.first?.error?.code == .cancelled)
    }

    @Test func `unknown numbers are ignored, also after the end`() async throws {
        let server = try LoopbackServer { _ in [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        let recorder = ResultRecorder()

        transport.cancel([], receiver: recorder)
        transport.cancel([7, 8], receiver: recorder)
        transport.start(Self.exchanges(1...1, to: server), receiver: recorder)
        #expect(try await recorder.results.atLeast(1).first?.response?.status == 200)
        transport.cancel([1], receiver: recorder)
        transport.shutdown()
        transport.cancel([1], receiver: recorder)

        #expect(recorder.results.events.count == 1)
    }

    @Test func `a request that is too late when a connection is ready is surely not sent`() async throws {
        let server = try LoopbackServer { _ in [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        var exchanges = Self.exchanges(1...3, to: server)
        exchanges[0].notAfter = .now - .milliseconds(1)
        exchanges[1].notAfter = .now + .seconds(60)
        transport.start(exchanges, receiver: recorder)
        let results = try await recorder.results.atLeast(3).sorted { $0.id < $1.id }

        #expect(results.map(\.response?.status) == [nil, 200, 200])
        #expect(results.first?.error?.code == .notSentInTime)
        #expect(results.first?.error?.mayHaveBeenReceived == false)
        #expect(Self.paths(of: server) == [2, 3])
    }
    @Test func `a request that becomes too late while the thread does something else is not sent`() async throws {
        let server = try LoopbackServer { _ in [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 1 }
        defer { transport.shutdown() }
        let notAfter = ContinuousClock.now + .milliseconds(400)
        // As after a suspension in the middle of a turn.
        let recorder = ResultRecorder { _ in
            while ContinuousClock.now <= notAfter {}
        }

        var exchanges = Self.exchanges(1...2, to: server)
        exchanges[1].notAfter = notAfter
        transport.start(exchanges, receiver: recorder)
        let results = try await recorder.results.atLeast(2)

        #expect(results.map(\.response?.status) == [200, nil])
        #expect(results.last?.error?.code == .notSentInTime)
        #expect(Self.paths(of: server) == [1])
    }
}
