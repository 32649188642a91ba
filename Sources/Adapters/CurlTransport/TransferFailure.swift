import CCurl
import HTTP1
import HTTPTransport
import Timestamps

/// Why a request has no answer, and what that means to the caller and to the person on call.
struct TransferFailure {
    /// What ended it.
    enum Cause: Equatable {
        /// libcurl could not open a connection, or could not go on with it; with its own words.
        case curl(CURLcode, detail: String)
        case firstByteTimeout
        case requestTimeout
        /// What came is no answer that can be trusted.
        case unreadable(ResponseFault)
        /// A reused connection ended without an answer and the request must not be written twice; with the words on a failure.
        case repeatRefused(detail: String)
        /// The caller wanted it to begin earlier.
        case tooLate
        /// The caller wanted it no longer.
        case cancelled
        case shutdown
    }

    let cause: Cause
    let destination: HTTPDestination
    /// Through which connections to it are opened.
    let proxy: ProxyRoute?
    /// Whether a connection was ready to take the request.
    let wasConnected: Bool
    let mayHaveBeenReceived: Bool

    /// The error for the caller.
    ///
    /// - Parameter configuration: For the limits and files that the message names.
    /// - Returns: The error, whose message holds no credentials.
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
            (.timedOut, "the answer of \(destination) was not whole within \(configuration.requestTimeout.inSeconds) s")
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
                    + "check that the endpoint is the one that is meant"
            )
        case .unreadable(.cutOff):
            (.connectionLost, "the connection to \(destination) ended before the answer was whole")
        case .unreadable(let fault):
            (.other, "the answer of \(destination) cannot be read as HTTP: \(fault)")
        case .repeatRefused(let detail):
            (
                .connectionLost,
                (Self.shown(detail).map { "a reused connection to \(destination) failed before the answer (\($0)); " }
                    ?? "\(destination) closed a reused connection before it answered; ")
                    + "not sent again here, since the server may have the request"
            )
        case .tooLate:
            (.notSentInTime, "the request to \(destination) was not sent: it was too late when a connection was ready")
        case .cancelled:
            (.cancelled, "the request to \(destination) was cancelled before its answer came")
        case .shutdown:
            (.cancelled, "the request to \(destination) was cancelled, since the transport shuts down")
        }
    }

    private var remark: String { proxy.map { " through \($0)" } ?? "" }

    /// libcurl's own words, if they surely quote no URL: it may hold a proxy's password.
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
                "no TLS with \(destination): \(detail); check that the port speaks TLS 1.2 or later, and any proxy between"
            )
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            (.other, "the request to \(destination) could not be made: \(code.text)")
        case _ where !wasConnected && detail.hasSuffix("response 407"):
            (
                .cannotConnect,
                "cannot connect to \(destination)\(remark): \(detail); check the user and the password in the proxy's URL. "
                    + "Basic, Digest and NTLM are possible, and Negotiate with a URL such as http://:@proxy.example.org:3128"
            )
        // Never the request's own fault, whatever libcurl calls it: its URL is that of the origin.
        case _ where !wasConnected:
            (
                .cannotConnect,
                "cannot connect to \(destination)\(remark): \(detail); "
                    + "check that it can be reached from here (address, firewall, proxy)"
            )
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            (.connectionLost, "the connection to \(destination) ended before the answer was whole: \(detail)")
        default:
            (.other, "the exchange with \(destination) failed: \(detail)")
        }
    }
}

extension CurlTransportConfiguration {
    fileprivate var caRemedy: String {
        guard let caFile else {
            return "if its certificate is of a private authority, name that authority's file (CA file)"
        }
        return "check that \(caFile) can be read and holds the authority of its certificate"
    }
}
