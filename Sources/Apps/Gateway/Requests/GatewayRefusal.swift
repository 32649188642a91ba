import NewsflashHTTPServer
import NewsflashStrictJSON

/// The reason why a request is refused, as in the response. Repeats nothing the client sent, except a path in the body.
package struct GatewayRefusal: Error, Sendable, Equatable {
    /// The status of the response.
    package var status: Int
    /// The short label for programs, in snake case.
    package var label: String
    /// The message for people: what is wrong and what to do.
    package var message: String
    /// The position in the body, as a JSON Pointer (RFC 6901); `nil` if the reason has no position.
    package var path: String?
    /// How long to wait before the next try.
    package var retryAfter: Duration?
    /// The allowed methods, for 405.
    package var allow: String?
    /// The response of the hub or Kafka, only for the log.
    package var detail: String?

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - label: A short label in snake case.
    ///   - message: The message for people: what is wrong and what to do.
    ///   - path: The position in the body, as a JSON Pointer.
    ///   - retryAfter: How long to wait before the next try.
    ///   - allow: The allowed methods, for 405.
    ///   - detail: A detail only for the log.
    package init(
        _ status: Int,
        _ label: String,
        _ message: String,
        path: String? = nil,
        retryAfter: Duration? = nil,
        allow: String? = nil,
        detail: String? = nil
    ) {
        self.status = status
        self.label = label
        self.message = message
        self.path = path
        self.retryAfter = retryAfter
        self.allow = allow
        self.detail = detail
    }

    /// A malformed request.
    static func malformed(_ label: String, _ message: String, path: String? = nil) -> GatewayRefusal {
        GatewayRefusal(400, label, message, path: path)
    }

    /// A request that this user is not allowed to make.
    static func forbidden(_ label: String, _ message: String, path: String? = nil) -> GatewayRefusal {
        GatewayRefusal(403, label, message, path: path)
    }

    /// A request that cannot be served now.
    static func unavailable(_ label: String, _ message: String, after pause: Duration = .seconds(1)) -> GatewayRefusal {
        GatewayRefusal(503, label, message, retryAfter: pause)
    }

    /// Too many requests.
    static func tooMany(_ label: String, after pause: Duration) -> GatewayRefusal {
        GatewayRefusal(429, label, "Too many requests: wait, then try again.", retryAfter: pause)
    }

    /// The same response to every failed sign-in, whatever the reason, so that it does not reveal which users exist.
    static let unauthorized = GatewayRefusal(
        401,
        "unauthorized",
        "Sign in: the name and password, or the token, are wrong."
    )

    static let notFound = GatewayRefusal(404, "not_found", "There is nothing at this address.")

    /// Converts a refusal of the HTTP server.
    init(_ refusal: HTTPServerRefusal) {
        switch refusal {
        case .malformed(let fault): self.init(refusal.status, "head_" + fault.rawValue, refusal.message)
        case .tooLarge: self.init(refusal.status, "too_large", refusal.message)
        case .busy: self.init(refusal.status, "busy", refusal.message, retryAfter: .seconds(1))
        }
    }
}

extension GatewayRefusal {
    /// The response: JSON with the label and the message.
    var response: HTTPServerResponse {
        var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
        if let retryAfter { headers.append(("Retry-After", String(Self.wholeSeconds(retryAfter)))) }
        if let allow { headers.append(("Allow", allow)) }
        var writer = JSONWriter(reservingCapacity: 160)
        writer.beginObject()
        writer.member("error", label)
        writer.member("message", message)
        writer.member("path", path)
        writer.endObject()
        return HTTPServerResponse(status: status, headers: headers, body: .bytes(writer.bytes))
    }

    /// Rounded up to at least one second, because an immediate retry would be refused again.
    private static func wholeSeconds(_ duration: Duration) -> Int64 {
        let (seconds, rest) = duration.components
        return max(1, seconds + (rest > 0 ? 1 : 0))
    }
}
