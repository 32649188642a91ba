import HTTPTransport
import Timestamps

extension SubscriptionError {
    /// Says what an answer means that has no meaning of its own where it came from.
    ///
    /// - Parameters:
    ///   - status: Of the answer.
    ///   - server: Who answered, as in "the hub".
    ///   - headers: Of the answer.
    ///   - now: The present instant.
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
                "\(server) does not take the request (\(status)): this is a fault of the app or its settings"
            )
        default:
            self.init(
                .unreadableAnswer,
                "\(server) gave an answer that it should not (\(status)): is the address right?"
            )
        }
    }

    /// Says why there is no answer.
    ///
    /// - Parameters:
    ///   - error: Of the transport; its text names the host at most.
    ///   - server: Who was asked, as in "the hub".
    init(_ error: HTTPTransportError, from server: String) {
        switch error.code {
        case .invalidRequest:
            self.init(.invalidValue, "the request to \(server) cannot be sent: look at the address and the credentials")
        case .responseTooLarge:
            self.init(.unreadableAnswer, "\(server) gave an answer that is too large: is the address right?")
        case .cancelled:
            self.init(.cancelled, "the request to \(server) was cancelled", isRetriable: true)
        default:
            self.init(.offline, "\(server) could not be reached (\(error.code.rawValue))", isRetriable: true)
        }
    }
}
