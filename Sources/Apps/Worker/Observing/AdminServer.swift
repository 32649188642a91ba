import HTTPServer
import OpenMetrics
import Publishing

/// Health and metrics over HTTP: `/livez`, `/readyz`, `/metrics`, `/status`.
final class AdminServer: Sendable {
    private let server: HTTPServer

    /// What the server shows.
    struct Sources: Sendable {
        var readiness: @Sendable () -> Readiness
        var status: @Sendable () -> WorkerStatus
        var metrics: @Sendable (MetricsFormat) -> String
        /// What others add to the status: names, and what makes their values.
        var members: [(name: String, json: @Sendable () -> [UInt8])] = []
    }

    /// Starts to serve.
    init(_ address: ListenAddress, sources: Sources) throws(HTTPServerError) {
        let configuration = HTTPServerConfiguration(host: address.host, port: address.port, maximumBodyBytes: 1024)
        server = try HTTPServer(configuration) { request in .now(Self.answer(request, sources)) }
    }

    var port: UInt16 { server.port }

    func stop() async {
        await server.stop()
    }

    static func answer(_ request: HTTPServerRequest, _ sources: Sources) -> HTTPServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = HTTPServerResponse.text("only GET is answered here\n", status: 405)
            refusal.headers.append(("Allow", "GET, HEAD"))
            return refusal
        }
        switch request.rawPath {
        case "/livez":
            let isAlive = sources.readiness().isAlive
            return .text(isAlive ? "alive\n" : "stuck\n", status: isAlive ? 200 : 503)
        case "/readyz":
            let readiness = sources.readiness()
            return json(readiness.json, status: readiness.isReady ? 200 : 503)
        case "/metrics":
            let format = MetricsFormat(accept: request.first(named: "Accept"))
            return .text(sources.metrics(format), contentType: format.contentType)
        case "/status":
            return json(sources.status().json(adding: sources.members.map { ($0.name, $0.json()) }))
        default: return .text("here are /livez /readyz /metrics /status\n", status: 404)
        }
    }

    private static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }
}
