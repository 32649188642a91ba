import HTTPTransport
import Timestamps

extension HubReply {
    /// Returns the meaning of a status.
    ///
    /// Only statuses about this payload are refusals, because a refusal ends an event. A response that any payload would get (a
    /// wrong address, a proxy in between) must open the hub's circuit instead.
    static func verdict(status: Int, hasRetryAfter: Bool, retryAfter: Duration?) -> Verdict {
        switch status {
        case 200..<300: .accepted
        case 400, 413, 414, 415, 422, 431: .refused
        case 401, 407: .unauthorized
        // Older versions of the service throttle with 403, and only then send a `Retry-After`.
        case 403: hasRetryAfter ? .throttled(after: retryAfter) : .forbidden
        case 402, 451: .forbidden
        case 429: .throttled(after: retryAfter)
        case 300..<400, 404, 405: .notFound
        case 410: .gone
        default: .unavailable
        }
    }

    /// Whether a response with this status may mean that the request was carried out.
    static func mayHaveBeenAccepted(status: Int) -> Bool {
        switch status {
        case 200..<300, 408: true
        case 501, 505: false
        case 500...: true
        default: false
        }
    }

    static func verdict(_ error: HTTPTransportError) -> Verdict {
        if error.mayHaveBeenReceived { return .unknown }
        return switch error.code {
        case .invalidRequest: .refused
        case .cancelled, .notSentInTime: .notSent
        default: .unavailable
        }
    }
}
