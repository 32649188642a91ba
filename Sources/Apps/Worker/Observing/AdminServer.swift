package import NewsflashHTTPServer
package import NewsflashObservability

/// An HTTP server for health and metrics on a separate address. It is read-only.
package final class AdminServer: Sendable {
    /// A path and its response.
    package struct Page: Sendable {
        let path: String
        let answer: @Sendable (HTTPServerRequest) -> HTTPServerResponse

        /// Makes a page.
        ///
        /// - Parameters:
        ///   - path: The path, with a leading slash.
        ///   - answer: Makes the response to each request.
        package init(_ path: String, _ answer: @escaping @Sendable (HTTPServerRequest) -> HTTPServerResponse) {
            self.path = path
            self.answer = answer
        }

        /// The page `/metrics`.
        ///
        /// - Parameter text: Makes the response to a scrape.
        /// - Returns: A page in the requested format.
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
    ///   - address: The address to listen on; port 0 selects a free port.
    ///   - hosts: Additional host names for browsers; see ``BrowserGuard``.
    ///   - hostsKey: The configuration key of these names.
    ///   - pages: The pages.
    ///   - logger: Logs the address.
    /// - Throws: `HTTPServerError` if the address cannot be bound.
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

    /// The bound port.
    package var port: UInt16 { server.port }

    /// Stops the server.
    package func stop() async {
        await server.stop()
    }

    static func answer(_ request: HTTPServerRequest, _ pages: [Page]) -> HTTPServerResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = HTTPServerResponse.text("only GET and HEAD are supported\n", status: 405)
            refusal.headers.append(("Allow", "GET, HEAD"))
            return refusal
        }
        if let page = pages.first(where: { $0.path == request.rawPath }) { return page.answer(request) }
        return .text("the pages are \(pages.map(\.path).joined(separator: " "))\n", status: 404)
    }
}
