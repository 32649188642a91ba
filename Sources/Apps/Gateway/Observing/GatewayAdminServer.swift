import HTTPServer
import OpenMetrics

/// Health and metrics of a gateway on an address of their own, since apps have no business with them: `/livez`, `/readyz`,
/// `/metrics`.
final class GatewayAdminServer: Sendable {
    private let server: HTTPServer

    /// Starts to serve.
    init(_ address: ListenAddress, metrics: GatewayMetrics) throws(HTTPServerError) {
        let configuration = HTTPServerConfiguration(host: address.host, port: address.port, maximumBodyBytes: 1024)
        server = try HTTPServer(configuration) { request in .now(Self.answer(request, metrics)) }
    }

    var port: UInt16 { server.port }

    func stop() async {
        await server.stop()
    }

    private static func answer(_ request: HTTPServerRequest, _ metrics: GatewayMetrics) -> HTTPServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = HTTPServerResponse.text("only GET is answered here\n", status: 405)
            refusal.headers.append(("Allow", "GET, HEAD"))
            return refusal
        }
        switch request.rawPath {
        case "/livez": return .text("alive\n")
        case "/readyz": return .text("ready\n")
        case "/metrics":
            let format = MetricsFormat(accept: request.first(named: "Accept"))
            return .text(metrics.registry.text(format), contentType: format.contentType)
        default: return .text("here are /livez /readyz /metrics\n", status: 404)
        }
    }
}
