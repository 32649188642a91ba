import NewsflashCurlTransport
import NewsflashHTTPServer
import NewsflashHTTPTransport
import NewsflashWorker
import Testing

@testable import NewsflashGateway

@Suite(.timeLimit(.minutes(1)))
struct GatewayMetricsTests {
    @Test func `requests are counted by action and status, and health requests are not counted`() async throws {
        let options = GatewayOptions(admin: ListenAddress(host: "127.0.0.1", port: 0))
        try await GatewayRig.run(options: options) { rig in
            try await rig.register("anna", handle: "00FC13")
            #expect(try await rig.ask("GET", "/api/installations/none", as: "anna").status == 404)
            #expect(try await rig.ask("GET", "/api/installations/none").status == 401)
            #expect(try await rig.ask("GET", "/nowhere", as: "anna").status == 404)
            #expect(try await rig.ask("GET", "/readyz").status == 200)
            let page = try await rig.admin("/metrics")
            #expect(page.status == 200)
            for line in [
                #"newsflash_gateway_requests_total{action="registration.create",status="200"} 1"#,
                #"newsflash_gateway_requests_total{action="registration.put",status="200"} 1"#,
                #"newsflash_gateway_requests_total{action="installation.read",status="404"} 1"#,
                #"newsflash_gateway_requests_total{action="installation.read",status="401"} 1"#,
                #"newsflash_gateway_requests_total{action="none",status="404"} 1"#,
                #"newsflash_gateway_refusals_total{error="unauthorized"} 1"#,
                #"newsflash_gateway_request_seconds_count{action="installation.read"} 2"#,
                #"newsflash_gateway_build_info{version="\#(WorkerVersion.current)"} 1.0"#,
            ] {
                #expect(page.text.contains(line + "\n"), "\(line) is not in:\n\(page.text)")
            }
            #expect(!page.text.contains(#"{action="none",status="200"}"#), "health is counted")
            #expect(!page.text.contains("anna") && !page.text.contains("00FC13"))
            let ready = try await rig.admin("/readyz")
            #expect(ready.text == "ready\n")
            let alive = try await rig.admin("/livez")
            #expect(alive.text == "alive\n")
            let apps = try await rig.admin("/api/events")
            #expect(apps.status == 404)
            let written = try await rig.admin("/metrics", method: .post)
            #expect(written.status == 405)
        }
    }

    @Test func `without an address no metrics are served, also not on the port for apps`() async throws {
        try await GatewayRig.run { rig in
            #expect(rig.gateway.adminPort == nil)
            let answer = try await rig.ask("GET", "/metrics", as: "anna")
            #expect(answer.status == 404)
        }
    }
}

extension GatewayRig {
    /// Sends a request for health or metrics.
    fileprivate func admin(_ path: String, method: HTTPMethod = .get) async throws -> HTTPResponse {
        let port = try #require(gateway.adminPort)
        return try await CurlTransport().send(HTTPRequest(method: method, url: "http://127.0.0.1:\(port)\(path)"))
    }
}
