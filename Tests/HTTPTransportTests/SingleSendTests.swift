import HTTPTransport
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

    private let request = HTTPRequest(method: .get, url: "http://example.invalid/")

    @Test func `returns the answer`() async throws {
        let transport = FixedTransport(result: .success(HTTPResponse(status: 201)))

        #expect(try await transport.send(request).status == 201)
    }

    @Test func `throws why there is none`() async {
        let error = HTTPTransportError(.timedOut, "no answer", mayHaveBeenReceived: true)
        let transport = FixedTransport(result: .failure(error))

        await #expect(throws: error) { try await transport.send(request) }
    }

    @Test func `an error prints its message and label`() {
        let error = HTTPTransportError(.cannotConnect, "cannot connect to a:1", mayHaveBeenReceived: false)

        #expect("\(error)" == "cannot connect to a:1 [cannot_connect]")
    }
}
