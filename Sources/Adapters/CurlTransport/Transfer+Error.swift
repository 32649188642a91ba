import CCurl
import HTTPTransport

extension Transfer {
    /// What libcurl's code means, against which host, and what to do.
    func error(_ code: CURLcode) -> HTTPTransportError {
        let says = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return failure(.cannotResolve, "\(host) has no address (\(says)); check the name and the resolver", false)
        case CURLE_COULDNT_CONNECT:
            return failure(
                .cannotConnect,
                "\(host) takes no connection (\(says)); check address, port and firewall",
                false
            )
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            return failure(
                .tlsFailed,
                "TLS with \(host) failed (\(says)); check its certificate and the CA file",
                false
            )
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return failure(.invalidRequest, "the URL cannot be used (\(says)); it must be http or https", false)
        case CURLE_OPERATION_TIMEDOUT:
            return mayHaveBeenReceived
                ? failure(.timedOut, "\(host) did not answer in time", true)
                : failure(.cannotConnect, "no connection to \(host) could be opened in time", false)
        case CURLE_WRITE_ERROR where isTooLarge:
            return failure(.responseTooLarge, "the answer of \(host) is larger than allowed", true)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return failure(
                .connectionLost,
                "the connection to \(host) ended before the answer was whole (\(says))",
                mayHaveBeenReceived
            )
        default:
            return failure(.other, "the request to \(host) failed (\(says))", mayHaveBeenReceived)
        }
    }

    func firstByteLate(_ limit: Duration) -> HTTPTransportError {
        mayHaveBeenReceived
            ? failure(.timedOut, "\(host) sent no byte of an answer within \(limit)", true)
            : failure(.cannotConnect, "no connection to \(host) was free or opened within \(limit)", false)
    }

    func cannotBegin(_ says: String) -> HTTPTransportError {
        failure(.invalidRequest, "the request to \(host) cannot be sent (\(says))", false)
    }

    var shutDownError: HTTPTransportError {
        failure(.cancelled, "the HTTP transport was shut down during a request to \(host)", mayHaveBeenReceived)
    }

    private func failure(_ code: HTTPTransportError.Code, _ message: String, _ received: Bool) -> HTTPTransportError {
        HTTPTransportError(code, message, mayHaveBeenReceived: received)
    }

    /// Scheme, host and port of the URL: no path, no query, no credentials.
    private var host: String {
        let url = exchange.request.url.utf8
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) else {
            return "the host"
        }
        let start = url.index(colon, offsetBy: 3)
        let authority = url[start...].prefix {
            ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
        }
        let afterCredentials = authority.lastIndex(of: UInt8(ascii: "@")).map {
            authority[authority.index(after: $0)...]
        }
        return String(Substring(afterCredentials ?? authority))
    }
}
