import NewsflashHTTPTransport

@testable import NewsflashCurlTransport

extension CurlTransport {
    /// Returns a transport that connects to the loopback directly, whatever proxy the environment names.
    static func forTests(_ change: (inout CurlTransportConfiguration) -> Void = { _ in }) throws -> CurlTransport {
        var configuration = CurlTransportConfiguration()
        configuration.proxy = .none
        change(&configuration)
        return try CurlTransport(configuration)
    }

    /// Sends a request that has no answer.
    func failure(of request: HTTPRequest) async throws -> HTTPTransportError {
        do {
            let response = try await send(request)
            throw UnexpectedAnswer(response: response)
        } catch let error as HTTPTransportError {
            return error
        }
    }
}

struct UnexpectedAnswer: Error {
    let response: HTTPResponse
}

extension HTTPExchangeResult {
    var error: HTTPTransportError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    var response: HTTPResponse? { try? result.get() }
}
