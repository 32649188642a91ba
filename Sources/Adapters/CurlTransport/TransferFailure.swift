import CNewsflashCurl
import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashTimestamps

/// Why a request has no response, for the caller and for operators.
struct TransferFailure {
    /// The cause of the failure.
    enum Cause: Equatable {
        /// libcurl could not open a connection, or could not continue with it; with its own text.
        case curl(CURLcode, detail: String)
        case firstByteTimeout
        case requestTimeout
        /// The received bytes are not a valid response.
        case unreadable(InvalidResponseError)
        /// A reused connection ended without a response and the request must not be written twice; with the text of a failure.
        case repeatRefused(detail: String)
        /// The caller's latest time for sending has passed.
        case tooLate
        /// The caller cancelled the request.
        case cancelled
        case shutdown
    }

    let cause: Cause
    let destination: HTTPDestination
    /// The proxy through which connections to it are opened.
    let proxy: ProxyRoute?
    /// Whether a connection was ready for the request.
    let wasConnected: Bool
    let mayHaveBeenReceived: Bool

    /// Returns the error for the caller.
    ///
    /// - Parameter configuration: The limits and files for the message.
    /// - Returns: The error, whose message contains no credentials.
    func error(_ configuration: CurlTransportConfiguration) -> HTTPTransportError {
        let (code, message) = explanation(configuration)
        return HTTPTransportError(code, message, mayHaveBeenReceived: mayHaveBeenReceived)
    }

    private func explanation(_ configuration: CurlTransportConfiguration) -> (HTTPTransportError.Code, String) {
        switch cause {
        case .curl(let code, let detail):
            curlExplanation(code, Self.shown(detail) ?? code.text, configuration)
        case .firstByteTimeout:
            (.timedOut, "\(destination) sent no answer within \(configuration.firstByteTimeout.inSeconds) s")
        case .requestTimeout where wasConnected:
            (.timedOut, "the answer of \(destination) was incomplete after \(configuration.requestTimeout.inSeconds) s")
        case .requestTimeout:
            (
                .timedOut,
                "no connection to \(destination) was free within \(configuration.requestTimeout.inSeconds) s; "
                    + "send fewer requests at a time or allow more connections"
            )
        case .unreadable(.tooLarge):
            (
                .responseTooLarge,
                "the answer of \(destination) is larger than \(configuration.maximumResponseBytes) bytes; "
                    + "check the endpoint"
            )
        case .unreadable(.cutOff):
            (.connectionLost, "the connection to \(destination) ended before the answer was complete")
        case .unreadable(let fault):
            (.other, "the answer of \(destination) cannot be read as HTTP: \(fault)")
        case .repeatRefused(let detail):
            (
                .connectionLost,
                (Self.shown(detail).map { "a reused connection to \(destination) failed before the answer (\($0)); " }
                    ?? "\(destination) closed a reused connection before it answered; ")
                    + "not sent again here, because the server may have the request"
            )
        case .tooLate:
            (.notSentInTime, "the request to \(destination) was not sent: no connection was ready in time")
        case .cancelled:
            (.cancelled, "the request to \(destination) was cancelled before its answer came")
        case .shutdown:
            (.cancelled, "the request to \(destination) was cancelled, because the transport is shutting down")
        }
    }

    private var remark: String { proxy.map { " through \($0)" } ?? "" }

    /// libcurl's own text, if it certainly contains no URL, which may include a proxy's password.
    private static func shown(_ detail: String) -> String? {
        guard !detail.isEmpty, !detail.contains("://"), !detail.contains("@"), !detail.hasPrefix("Unsupported proxy")
        else {
            return nil
        }
        return detail
    }

    private func curlExplanation(
        _ code: CURLcode,
        _ detail: String,
        _ configuration: CurlTransportConfiguration
    ) -> (HTTPTransportError.Code, String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY:
            (
                .cannotResolve,
                "cannot find the proxy on the way to \(destination)\(remark); check its name in the "
                    + "configuration or in http_proxy, https_proxy and all_proxy, and this machine's DNS"
            )
        case CURLE_COULDNT_RESOLVE_HOST:
            (
                .cannotResolve,
                "cannot find \(destination)\(remark): \(detail); check the name and this machine's DNS"
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CERTPROBLEM:
            (.tlsFailed, "cannot trust \(destination): \(detail); \(configuration.caRemedy)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            (
                .tlsFailed,
                "no TLS with \(destination): \(detail); check that the port supports TLS 1.2 or later, and any proxy between"
            )
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            (.other, "the request to \(destination) could not be made: \(code.text)")
        case _ where !wasConnected && detail.hasSuffix("response 407"):
            (
                .cannotConnect,
                "cannot connect to \(destination)\(remark): \(detail); check the user and the password in the proxy's URL. "
                    + "Basic, Digest and NTLM are possible, and Negotiate with a URL such as http://:@proxy.example.org:3128"
            )
        // Never the request's own fault, whatever the code of libcurl: its URL is that of the origin.
        case _ where !wasConnected:
            (
                .cannotConnect,
                "cannot connect to \(destination)\(remark): \(detail); "
                    + "check that it can be reached from here (address, firewall, proxy)"
            )
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            (.connectionLost, "the connection to \(destination) ended before the answer was complete: \(detail)")
        default:
            (.other, "the exchange with \(destination) failed: \(detail)")
        }
    }
}

extension CurlTransportConfiguration {
    fileprivate var caRemedy: String {
        guard let caFile else {
            return "if a private authority issued its certificate, configure that authority's file (CA file)"
        }
        return "check that \(caFile) can be read and contains the authority of its certificate"
    }
}
