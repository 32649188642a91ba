import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTestSupport
import Testing

@testable import NewsflashCurlTransport

/// Connections that no longer work or lead to the wrong server: none of them may keep requests from the right one.
@Suite(.timeLimit(.minutes(1)))
struct RenewalTests {
    private static let accepted = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    @Test func `probes use connections of their own until the server works again`() async throws {
        let server = try LoopbackServer { [.answer($0.connection <= 3 ? "503 Old region" : "201 Created")] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        _ = try await transport.send(Self.post(server.url("/news")))

        transport.renewConnections(to: server.url("/news"))
        for number in 1...5 {
            let probe = HTTPExchange(id: UInt64(number), request: Self.post(server.url("/probe")), isProbe: true)
            transport.start([probe], receiver: recorder)
            _ = try await recorder.results.atLeast(number)
        }

        #expect(recorder.results.events.map(\.response?.status) == [503, 503, 201, 201, 201])
        #expect(server.requests.events.map(\.connection) == [1, 2, 3, 4, 4, 4])
        _ = try await server.ended.atLeast(3)
    }

    @Test func `a connection in use while its origin is renewed carries no further request`() async throws {
        let gate = Gate()
        let server = try LoopbackServer { $0.line.contains("/slow") ? [.wait(gate), .answer()] : [.answer()] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start([HTTPExchange(id: 1, request: Self.post(server.url("/slow")))], receiver: recorder)
        _ = try await server.requests.atLeast(1)
        transport.renewConnections(to: server.url())
        // A round of the loop that has processed the call.
        _ = try await transport.failure(of: HTTPRequest(method: .get, url: "nowhere"))
        gate.open()
        let results = try await recorder.results.atLeast(1)
        _ = try await transport.send(Self.post(server.url("/next")))

        #expect(results.first?.response?.status == 200)
        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    @Test func `a missing first byte on a reused connection closes all older connections`() async throws {
        let warm = 6
        let isCut = Locked(false)
        let together = Gate()
        let heads = EventLog<Int>()
        let server = try SocketServer { peer in
            while let head = peer.readHead() {
                _ = peer.read(1)
                heads.append(peer.number)
                if head.contains("/warm") { together.wait() }
                // Like a firewall that has forgotten its connections.
                if isCut.withLock({ $0 }), peer.number <= warm { continue }
                peer.send(Self.accepted)
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.firstByteTimeout = .milliseconds(300) }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()
        let exchanges = (1...warm).map { HTTPExchange(id: UInt64($0), request: Self.post(server.url("/warm"))) }
        transport.start(exchanges, receiver: recorder)
        _ = try await heads.atLeast(warm)
        together.open()
        _ = try await recorder.results.atLeast(warm)
        isCut.withLock { $0 = true }

        let lost = try await transport.failure(of: Self.post(server.url("/lost")))
        let next = try await transport.send(Self.post(server.url("/next")))

        #expect(lost.code == .timedOut)
        #expect(next.status == 201)
        #expect(heads.events.suffix(1) == [warm + 1])
    }

    @Test func `no waiting request is written on a connection whose end came with the answer`() async throws {
        let late = EventLog<Int>()
        let server = try SocketServer { peer in
            guard peer.readHead() != nil else { return }
            _ = peer.read(1)
            peer.sendLast(Self.accepted)
            late.append(peer.read(.max).count)
        }
        defer { server.stop() }
        let transport = try CurlTransport.forTests { $0.maximumConnectionsPerHost = 1 }
        defer { transport.shutdown() }
        let recorder = ResultRecorder()

        transport.start(
            (1...4).map { HTTPExchange(id: $0, request: Self.post(server.url())) },
            receiver: recorder
        )
        let results = try await recorder.results.atLeast(4)

        #expect(results.map(\.response?.status) == [201, 201, 201, 201], "\(results.compactMap(\.error))")
        #expect(try await late.atLeast(4) == [0, 0, 0, 0])
    }

    @Test func `a server that allows no idle time gets no second request on a connection`() async throws {
        let server = try LoopbackServer { _ in [.answer(headers: ["Keep-Alive: timeout=0, max=100"])] }
        defer { server.stop() }
        let transport = try CurlTransport.forTests()
        defer { transport.shutdown() }

        for _ in 1...2 { _ = try await transport.send(Self.post(server.url())) }

        #expect(server.requests.events.map(\.connection) == [1, 2])
    }

    @Test func `idle time and age have the configured limits`() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        for limit in [\CurlTransportConfiguration.maximumIdleTime, \.maximumConnectionAge] {
            let before = server.accepted.events.count
            let transport = try CurlTransport.forTests { $0[keyPath: limit] = .nanoseconds(1) }
            defer { transport.shutdown() }

            for _ in 1...3 { _ = try await transport.send(Self.post(server.url())) }

            #expect(server.accepted.events.count == before + 3)
        }
    }

    @Test func `a connection is lost if its peer receives nothing for too long`() async throws {
        let end = Gate()
        let server = try SocketServer(receiveBuffer: 4096) { peer in
            _ = peer.readHead()
            end.wait()
        }
        defer { server.stop() }
        defer { end.open() }
        let transport = try CurlTransport.forTests { $0.acknowledgementTimeout = .milliseconds(300) }
        defer { transport.shutdown() }
        let request = HTTPRequest(method: .post, url: server.url(), body: [UInt8](repeating: 1, count: 16 << 20))

        let error = try await transport.failure(of: request)

        #expect(error.code == .connectionLost, "\(error)")
        #expect(error.mayHaveBeenReceived)
        #expect(error.message.contains("timed out"))
    }

    private static func post(_ url: String) -> HTTPRequest {
        HTTPRequest(method: .post, url: url, body: [1])
    }
}
