import HTTPServer
import OpenMetrics
import Publishing

/// The pages of a worker's admin port: `/livez`, `/readyz`, `/metrics`, `/status`.
struct WorkerPages: Sendable {
    var readiness: @Sendable () -> Readiness
    var status: @Sendable () -> WorkerStatus
    var metrics: @Sendable (MetricsFormat) -> String
    /// Additional members of the status, with functions that make their JSON.
    var members: [(name: String, json: @Sendable () -> [UInt8])] = []

    var pages: [AdminServer.Page] {
        [
            AdminServer.Page("/livez") { [readiness] _ in
                let isAlive = readiness().isAlive
                return .text(isAlive ? "alive\n" : "stuck\n", status: isAlive ? 200 : 503)
            },
            AdminServer.Page("/readyz") { [readiness] _ in
                let readiness = readiness()
                return Self.json(readiness.json, status: readiness.isReady ? 200 : 503)
            },
            .metrics(metrics),
            AdminServer.Page("/status") { [status, members] _ in
                Self.json(status().json(adding: members.map { ($0.name, $0.json()) }))
            },
        ]
    }

    private static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPServerResponse {
        HTTPServerResponse(status: status, headers: [("Content-Type", "application/json")], body: .bytes(bytes))
    }
}
