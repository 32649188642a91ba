import HTTPServer

/// The rule for pages of other origins (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// A request from a page that is not allowed is refused. Omitting the CORS headers would not suffice: a browser may add stored
/// credentials, and sends some requests without a preflight.
struct CrossOriginRule: Sendable {
    /// Origins without a path, such as `https://news.example.org`.
    let allowedOrigins: Set<String>

    /// The decision about a request.
    enum Decision: Sendable, Equatable {
        /// The request does not come from a page of another origin.
        case own
        case allowed(origin: String)
        case refused
    }

    func decide(_ request: HTTPServerRequest) -> Decision {
        guard let origin = request.first(named: "Origin") else { return .own }
        return allowedOrigins.contains(origin) ? .allowed(origin: origin) : .refused
    }

    /// The headers of the response to an allowed page.
    static func headers(for origin: String) -> [(name: String, value: String)] {
        [
            ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
            ("Access-Control-Expose-Headers", "Location, Retry-After, WWW-Authenticate, X-Request-Id"),
        ]
    }

    /// The response to a preflight request.
    static func preflight(methods: [String]) -> HTTPServerResponse {
        HTTPServerResponse(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
                ("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept-Language"),
                ("Access-Control-Max-Age", "600"),
            ]
        )
    }
}
