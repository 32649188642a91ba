import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test func `requests one after the other use one connection`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for number in 1...50 {
            _ = try await transport.send(HTTPRequest(method: .post, url: server.url("/\(number)"), body: [1]))
        }

        #expect(server.requests.events.count == 50)
        #expect(server.accepted.events.count == 1)
    }

    @Test func `the reported time is the server's, without the wait for a connection`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.line.contains("/0") ? [.wait(gate), .answer()] : [.answer()]
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 1 }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        let start = ContinuousClock.now

        transport.start(exchanges(2, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(1)
        let held = ContinuousClock.now - start
        gate.open()
        let results = try await recorder.results.atLeast(2)
        let whole = ContinuousClock.now - start

        let took = try results.map { try #require($0.took) }
        #expect(took[0] + took[1] <= whole)
        #expect(took[1] <= whole - held)
    }

    @Test func `no more connections to a host are opened than allowed`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 3 }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(exchanges(20, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(3)
        gate.open()
        let results = try await recorder.results.atLeast(20)

        #expect(results.compactMap(\.response).count == 20)
        #expect(server.accepted.events.count == 3)
    }

    @Test func `requests to other hosts wait too while all connections are in use`() async throws {
        let events = EventLog<String>()
        let gate = Gate()
        let first = try LoopbackServer { _ in
            [.wait(gate), .run { events.append("first answers") }, .answer()]
        }
        defer { first.stop() }
        let second = try LoopbackServer { _ in
            [.run { events.append("second is reached") }, .answer()]
        }
        defer { second.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnections = 1 }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(exchanges(1, to: first), receiver: recorder)
        _ = try await first.requests.atLeast(1)
        transport.start(exchanges(1, to: second, from: 1), receiver: recorder)
        // Rounds of the loop in which the second could be reached.
        for _ in 1...20 { _ = try await transport.failure(of: HTTPRequest(method: .get, url: "nowhere")) }
        gate.open()
        let results = try await recorder.results.atLeast(2)

        #expect(results.compactMap(\.response).count == 2)
        #expect(events.events == ["first answers", "second is reached"])
    }

    @Test func `answers that are available together come in one call`() async throws {
        let answers = Gate()
        let server = try LoopbackServer { $0.line.contains("/held") ? [.answer()] : [.wait(answers), .answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let isHeld = EventLog<Bool>()
        let turn = Gate()
        // While the transport's thread is held here, answers can only gather.
        let holder = ResultRecorder { _ in
            isHeld.append(true)
            turn.wait()
        }
        let recorder = ResultRecorder()

        transport.start(exchanges(4, to: server), receiver: recorder)
        _ = try await server.requests.atLeast(4)
        transport.start(
            [HTTPExchange(id: 9, request: HTTPRequest(method: .get, url: server.url("/held")))],
            receiver: holder
        )
        _ = try await isHeld.atLeast(1)
        answers.open()
        _ = try await server.answered.atLeast(5)
        turn.open()
        let results = try await recorder.results.atLeast(4)

        #expect(Set(results.map(\.id)) == [0, 1, 2, 3])
        #expect(recorder.batches.events.map(\.count) == [4])
    }

    @Test func `results of one round come in one call for each receiver`() async throws {
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let gate = Gate()
        let holder = ResultRecorder { _ in gate.wait() }
        let (one, other) = (ResultRecorder(), ResultRecorder())
        let impossible = HTTPRequest(method: .get, url: "ftp://example.invalid/")

        transport.start([HTTPExchange(id: 0, request: impossible)], receiver: holder)
        transport.start((1...3).map { HTTPExchange(id: $0, request: impossible) }, receiver: one)
        transport.start((1...2).map { HTTPExchange(id: $0, request: impossible) }, receiver: other)
        transport.start((4...5).map { HTTPExchange(id: $0, request: impossible) }, receiver: one)
        gate.open()
        _ = try await one.results.atLeast(5)
        _ = try await other.results.atLeast(2)

        #expect(one.batches.events.reduce(0) { $0 + $1.count } == 5)
        #expect(one.batches.events.count <= 2)
        #expect(other.batches.events.map(\.count) == [2])
    }

    @Test func `a receiver may start the next request from its call`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let next = ResultRecorder()
        let request = HTTPRequest(method: .get, url: server.url())
        let first = ResultRecorder { _ in transport.start([HTTPExchange(id: 2, request: request)], receiver: next) }

        transport.start([HTTPExchange(id: 1, request: request)], receiver: first)

        #expect(try await next.results.atLeast(1).first?.response?.status == 200)
    }

    private func exchanges(_ count: UInt64, to server: LoopbackServer, from first: UInt64 = 0) -> [HTTPExchange] {
        (first..<(first + count)).map {
            HTTPExchange(id: $0, request: HTTPRequest(method: .post, url: server.url("/\($0)"), body: [1, 2, 3]))
        }
    }
}
