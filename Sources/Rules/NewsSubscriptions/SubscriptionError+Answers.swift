import HTTPTransport
import Timestamps

extension SubscriptionError {
    /// Creates the error for a response whose status has no special meaning at its server.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - server: The server, as in "the hub".
    ///   - headers: The headers of the response.
    ///   - now: The current time.
    init(status: Int, of server: String, headers: HTTPHeaders, now: Timestamp) {
        let pause = headers["Retry-After"].flatMap { RetryAfter.pause($0, now: now) }
        switch status {
        case 408, 409, 429, 500...599:
            self.init(
                .unavailable,
                "\(server) is busy or out of order (\(status)): try again later, as retry() does",
                isRetriable: true,
                retryAfter: pause
            )
        case 400..<500:
            self.init(
                .refused,
                "\(server) rejects the request (\(status)): this is an error in the app or its settings"
            )
        default:
            self.init(
                .unreadableAnswer,
                "\(server) sent an unexpected response (\(status)): check the address"
            )
        }
    }

    /// Creates the error for a missing response.
    ///
    /// - Parameters:
    ///   - error: The error of the transport; its text contains at most the host's name.
    ///   - server: The server, as in "the hub".
    init(_ error: HTTPTransportError, from server: String) {
        switch error.code {
        case .invalidRequest:
            self.init(.invalidValue, "the request to \(server) cannot be sent: check the address and the credentials")
        case .responseTooLarge:
            self.init(.unreadableAnswer, "\(server) sent a response that is too large: check the address")
        case .cancelled:
            self.init(.cancelled, "the request to \(server) was cancelled")
        default:
            self.init(.offline, "\(server) could not be reached (\(error.code.rawValue))", isRetriable: true)
        }
    }
}
