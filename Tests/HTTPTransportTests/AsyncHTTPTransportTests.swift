import NewsflashBasics
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AsyncHTTPTransportTests {
    private struct Failure: Error {
        var secret = "sesame"
    }

    private let request = HTTPRequest(method: .post, url: "https://e/")

    @Test func `the function's response or error is the result of the request`() async throws {
        let transport = AsyncHTTPTransport { request in
            HTTPResponse(status: request.url == "https://e/" ? 201 : 500)
        }
        #expect(try await transport.send(request).status == 201)
        let refused = AsyncHTTPTransport { _ in
            throw HTTPTransportError(.cannotConnect, "nobody listens", mayHaveBeenReceived: false)
        }
        let first = await #expect(throws: HTTPTransportError.self) { try await refused.send(request) }
        #expect(first?.code == .cannotConnect && first?.mayHaveBeenReceived == false)
        let unknown = AsyncHTTPTransport { _ in throw Failure() }
        let second = await #expect(throws: HTTPTransportError.self) { try await unknown.send(request) }
        #expect(second?.code == .other && second?.mayHaveBeenReceived == true)
        #expect(second.map { "\($0)".contains("Failure") && !"\($0)".contains("sesame") } == true)
    }

    @Test func `a cancelled call cancels the function's task`() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let transport = AsyncHTTPTransport { _ in
            start.yield()
            let (never, _) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            try Task.checkCancellation()
            return HTTPResponse(status: 200)
        }
        let call = Task { try await transport.send(request) }
        for await _ in started { break }
        call.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await call.value }
        #expect(error?.code == .cancelled && error?.mayHaveBeenReceived == true)
    }

    @Test func `a request that is too late is not sent`() async {
        let count = Locked(0)
        let transport = AsyncHTTPTransport { _ in
            count.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        }
        let result = await transport.result(of: request, notAfter: .now - .seconds(1))
        #expect(throws: HTTPTransportError.self) { try result.get() }
        #expect(count.withLock { $0 } == 0)
    }
}
