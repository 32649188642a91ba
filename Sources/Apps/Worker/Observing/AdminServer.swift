package import HTTPServer
package import OpenMetrics
package import StructuredLog

/// Health and metrics over HTTP, on an address of their own; nothing can be changed there.
package final class AdminServer: Sendable {
    /// What one path is answered with.
    package struct Page: Sendable {
        let path: String
        let answer: @Sendable (HTTPServerRequest) -> HTTPServerResponse

        /// Makes a page.
        ///
        /// - Parameters:
        ///   - path: Beginning with a slash.
        ///   - answer: Makes its answer, at each request.
        package init(_ path: String, _ answer: @escaping @Sendable (HTTPServerRequest) -> HTTPServerResponse) {
            self.path = path
            self.answer = answer
        }

        /// The page `/metrics`.
        ///
        /// - Parameter text: Makes what a scrape is answered with.
        /// - Returns: In the format that is asked for.
        package static func metrics(_ text: @escaping @Sendable (MetricsFormat) -> String) -> Page {
            Page("/metrics") { request in
                let format = MetricsFormat(accept: request.first(named: "Accept"))
                return .text(text(format), contentType: format.contentType)
            }
        }
    }

    private let server: HTTPServer

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - address: Where to listen; port 0 takes a free one.
    ///   - hosts: More names under which browsers may ask; see ``BrowserGuard``.
    ///   - hostsKey: The key of the configuration that these are from.
    ///   - pages: What is served.
    ///   - logger: Is told where it listens.
    /// - Throws: `HTTPServerError` where the address cannot be had.
    package init(
        _ address: ListenAddress,
        hosts: [String] = [],
        hostsKey: String? = nil,
        pages: [Page],
        logger: Logger
    ) throws(HTTPServerError) {
        let browsers = BrowserGuard(hosts: hosts + [address.host], key: hostsKey)
        server = try HTTPServer(
            HTTPServerConfiguration(host: address.host, port: address.port, bodyBudget: 0),
            decide: { .answer(.now(browsers.refusal(of: $0) ?? Self.answer($0, pages))) },
            refuse: { $1.response }
        )
        logger.info(
            "health and metrics are served",
            metadata: ["listen": .string("\(address.host):\(server.port)")]
        )
    }

    /// The port that is bound.
    package var port: UInt16 { server.port }

    /// Ends: no request is taken any more.
    package func stop() async {
        await server.stop()
    }

    static func answer(_ request: HTTPServerRequest, _ pages: [Page]) -> HTTPServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = HTTPServerResponse.text("only GET is answered here\n", status: 405)
            refusal.headers.append(("Allow", "GET, HEAD"))
            return refusal
        }
        if let page = pages.first(where: { $0.path == request.rawPath }) { return page.answer(request) }
        return .text("here are \(pages.map(\.path).joined(separator: " "))\n", status: 404)
    }
}
