import NewsflashBasics
import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SingleSendTests {
    /// Ends every exchange with one result.
    private struct FixedTransport: HTTPTransport {
        let result: Result<HTTPResponse, HTTPTransportError>

        func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
            receiver.receive(exchanges.map { HTTPExchangeResult(id: $0.id, result: result) })
        }
    }

    /// Holds a request until `answer()`, and counts cancellations.
    private final class HeldTransport: HTTPTransport {
        private let receiver = Locked<(any HTTPResultReceiver)?>(nil)
        private let cancelled = Locked<[UInt64]>([])

        var cancellations: Int { cancelled.withLock { $0.count } }

        func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {
            self.receiver.withLock { $0 = receiver }
        }

        func cancel(_ ids: [UInt64], receiver: any HTTPResultReceiver) {
            cancelled.withLock { $0 += ids }
        }

        func answer() {
            let receiver = receiver.withLock { $0.take() }
            receiver?.receive([HTTPExchangeResult(id: 0, result: .success(HTTPResponse(status: 202)))])
        }
    }

    private let request = HTTPRequest(method: .get, url: "http://example.invalid/")

    @Test func `the answer is returned`() async throws {
        let transport = FixedTransport(result: .success(HTTPResponse(status: 201)))

        #expect(try await transport.send(request).status == 201)
    }

    @Test func `the reason for a missing answer is thrown`() async {
        let error = HTTPTransportError(.timedOut, "no answer", mayHaveBeenReceived: true)
        let transport = FixedTransport(result: .failure(error))

        await #expect(throws: error) { try await transport.send(request) }
    }

    @Test func `a cancelled task ends its request, and still gets an answer that has arrived`() async throws {
        let transport = HeldTransport()
        let request = request
        // Begun at once, so the request is in flight when it is cancelled.
        let task = Task<Int, any Error>.immediate { try await transport.send(request).status }
        #expect(transport.cancellations == 0)
        task.cancel()
        #expect(transport.cancellations == 1)
        transport.answer()
        #expect(try await task.value == 202)
    }

    @Test func `a request of a cancelled task ends when it has begun`() async throws {
        let transport = HeldTransport()
        let request = request
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addImmediateTask { _ = await transport.result(of: request) }
            #expect(transport.cancellations == 1)
            transport.answer()
        }
    }

    @Test func `an error prints its message and label`() {
        let error = HTTPTransportError(.cannotConnect, "cannot connect to a:1", mayHaveBeenReceived: false)

        #expect("\(error)" == "cannot connect to a:1 [cannot_connect]")
    }
}
