import HTTPServer

/// Which pages of other origins may ask (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// A page that may not is refused, and not only its browser told: a browser may add credentials that its user once typed
/// in, and some requests go out before the browser asks.
struct CrossOriginRule: Sendable {
    /// Such as `https://news.example.org`, without a path.
    let allowedOrigins: Set<String>

    /// What is to be done with a request.
    enum Decision: Sendable, Equatable {
        /// No page of another origin sent it.
        case own
        case allowed(origin: String)
        case refused
    }

    func decide(_ request: HTTPServerRequest) -> Decision {
        guard let origin = request.first(named: "Origin") else { return .own }
        return allowedOrigins.contains(origin) ? .allowed(origin: origin) : .refused
    }

    /// What the answer to an allowed page carries.
    static func headers(for origin: String) -> [(name: String, value: String)] {
        [
            ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
            ("Access-Control-Expose-Headers", "Location, Retry-After, WWW-Authenticate, X-Request-Id"),
        ]
    }

    /// The answer to a browser that asks before the request.
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
