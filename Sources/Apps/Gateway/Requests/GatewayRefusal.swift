import HTTPServer
import StrictJSON

/// Why a request is not served, in the words of the answer. Never repeats what the client sent, but for the place of it.
package struct GatewayRefusal: Error, Sendable, Equatable {
    /// The status of the answer.
    package var status: Int
    /// For programs: a short label in snake case.
    package var label: String
    /// For people: what is wrong and what to do.
    package var message: String
    /// Where in the body, as a JSON Pointer (RFC 6901); nothing where it is not about a place.
    package var path: String?
    /// How long to wait before the next try.
    package var retryAfter: Duration?
    /// The methods that there are, with 405.
    package var allow: String?
    /// For the log alone: what the hub or Kafka said.
    package var detail: String?

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - label: A short label in snake case.
    ///   - message: What is wrong and what to do.
    ///   - path: Where in the body.
    ///   - retryAfter: How long to wait before the next try.
    ///   - allow: The methods that there are, with 405.
    ///   - detail: For the log alone.
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

    /// A request that cannot be understood.
    static func malformed(_ label: String, _ message: String, path: String? = nil) -> GatewayRefusal {
        GatewayRefusal(400, label, message, path: path)
    }

    /// Something that this user may not do.
    static func forbidden(_ label: String, _ message: String, path: String? = nil) -> GatewayRefusal {
        GatewayRefusal(403, label, message, path: path)
    }

    /// Something that cannot be done now.
    static func unavailable(_ label: String, _ message: String, after pause: Duration = .seconds(1)) -> GatewayRefusal {
        GatewayRefusal(503, label, message, retryAfter: pause)
    }

    /// Too many requests.
    static func tooMany(_ label: String, after pause: Duration) -> GatewayRefusal {
        GatewayRefusal(429, label, "Too many requests came: wait, then try again.", retryAfter: pause)
    }

    /// The same for whoever did not sign in, whatever the reason, so that nobody learns which users there are.
    static let unauthorized = GatewayRefusal(
        401,
        "unauthorized",
        "Sign in: name and password, or the token, are not right."
    )

    static let notFound = GatewayRefusal(404, "not_found", "There is nothing at this address.")

    /// Translates a refusal by the server itself.
    init(_ refusal: HTTPServerRefusal) {
        switch refusal {
        case .malformed(let fault): self.init(refusal.status, "head_" + fault.rawValue, refusal.message)
        case .tooLarge: self.init(refusal.status, "too_large", refusal.message)
        case .busy: self.init(refusal.status, "busy", refusal.message, retryAfter: .seconds(1))
        }
    }
}

extension GatewayRefusal {
    /// The answer: small JSON with the sentence and the label.
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

    /// Rounded up, and never nought: who comes back at once is refused again.
    private static func wholeSeconds(_ duration: Duration) -> Int64 {
        let (seconds, rest) = duration.components
        return max(1, seconds + (rest > 0 ? 1 : 0))
    }
}
