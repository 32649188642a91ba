import CNewsflashCurl
import NewsflashHTTPTransport
import Testing

@testable import NewsflashCurlTransport

@Suite(.timeLimit(.minutes(1)))
struct TransferFailureTests {
    @Test(arguments: [
        CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_COULDNT_RESOLVE_HOST,
        CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY, CURLE_RECV_ERROR,
        CURLE_OPERATION_TIMEDOUT, CURLE_NOT_BUILT_IN, CURLE_WEIRD_SERVER_REPLY,
    ])
    func `a failure before the connection is ready is not the request's fault, and it was surely not received`(
        code: CURLcode
    ) throws {
        let error = try failure(.curl(code, detail: "")).error(CurlTransportConfiguration())

        #expect(error.code != .invalidRequest)
        #expect(!error.mayHaveBeenReceived)
        #expect(error.message.contains("hub.example:443"))
    }

    @Test func `the environment's proxy is named with its variable, and without its password`() throws {
        let variables = ["HTTPS_PROXY": "http://desk:hush-hush@10.0.0.1:3128"]
        let route = ProxyRoute(.environment, isSecure: true) { variables[$0] }
        let refused = try failure(.curl(CURLE_COULDNT_CONNECT, detail: "no route"), route)
            .error(CurlTransportConfiguration())
        let unknown = try failure(.curl(CURLE_RECV_ERROR, detail: "CONNECT tunnel failed, response 407"), route)
            .error(CurlTransportConfiguration())

        #expect(
            refused.message.hasPrefix(
                "cannot connect to hub.example:443 through the proxy 10.0.0.1:3128 (HTTPS_PROXY): no route; "
            )
        )
        #expect(unknown.message.contains("check the user and the password in the proxy's URL"))
        for error in [refused, unknown] { #expect(!error.message.contains("hush-hush")) }
    }

    @Test func `the failure of a reused connection is described`() throws {
        let error = try failure(.repeatRefused(detail: "Recv failure: Connection timed out"), wasConnected: true)
            .error(CurlTransportConfiguration())

        #expect(
            error.message
                == "a reused connection to hub.example:443 failed before the answer (Recv failure: Connection timed "
                + "out); not sent again here, because the server may have the request"
        )
    }

    private func failure(
        _ cause: TransferFailure.Cause,
        _ proxy: ProxyRoute? = nil,
        wasConnected: Bool = false
    ) throws -> TransferFailure {
        TransferFailure(
            cause: cause,
            destination: HTTPDestination(url: "https://hub.example/"),
            proxy: proxy,
            wasConnected: wasConnected,
            mayHaveBeenReceived: wasConnected
        )
    }
}
