import HTTPTransport
import Timestamps

/// The result of one attempt to send.
public struct HubReply: Sendable, Equatable, CustomStringConvertible {
    /// The maximum number of characters in ``detail``.
    public static let maximumDetailLength = 512

    /// The meaning of a response for the next step.
    public enum Verdict: Sendable, Equatable {
        /// The hub accepted the message.
        case accepted
        /// Not accepted because of too many calls; may be sent again after the pause, if one is given.
        case throttled(after: Duration?)
        /// The hub refused the request, and would refuse it later too.
        case refused
        /// The token was not accepted: key, policy name or clock is wrong.
        case unauthorized
        /// The policy lacks the Send claim, or the tier lacks the operation.
        case forbidden
        /// There is no hub at this address.
        case notFound
        /// The addressed object no longer exists.
        case gone
        /// The service, or the connection to it, is unavailable.
        case unavailable
        /// The request was never sent: the caller cancelled it, or it was too late to start.
        case notSent
        /// The connection ended while the request was in flight: it may have been accepted or not.
        case unknown

        /// Whether the same request may succeed later without intervention.
        public var isRetriable: Bool {
            switch self {
            case .throttled, .unavailable, .notSent, .unknown: true
            case .accepted, .refused, .unauthorized, .forbidden, .notFound, .gone: false
            }
        }

        /// The short label for metrics.
        public var label: String {
            switch self {
            case .accepted: "accepted"
            case .throttled: "throttled"
            case .refused: "refused"
            case .unauthorized: "unauthorized"
            case .forbidden: "forbidden"
            case .notFound: "not_found"
            case .gone: "gone"
            case .unavailable: "unavailable"
            case .notSent: "not_sent"
            case .unknown: "unknown"
            }
        }
    }

    /// The meaning of the response.
    public let verdict: Verdict
    /// The status code, if there was a response.
    public let status: Int?
    /// The message's ID for telemetry: the last part of `Location`; only on the standard tier.
    public let notificationID: String?
    /// The service's ID of the request, from its header or from the text of the error.
    public let trackingID: String?
    /// The service's ID of the chain of requests.
    public var correlationID: String? { correlation?.text }
    /// The text from the service or the transport, at most ``maximumDetailLength`` characters. Of a response body it contains
    /// only
    /// known phrases of the service, because a proxy may repeat the request there, with text of news or credentials.
    public let detail: String
    /// The pause that the service requested, with any status.
    public let retryAfter: Duration?
    /// Whether the hub may have accepted the message, so that sending it again may push it twice.
    public let mayHaveBeenAccepted: Bool
    /// The short label for metrics, from the verdict or from the transport's error.
    public let label: String
    private let correlation: HeaderText?

    init(_ response: HTTPResponse, now: Timestamp) {
        let headers = ReplyHeaders(response.headers)
        let retryAfter = headers.pause(now: now)
        let error = (200..<300).contains(response.status) ? HubErrorText() : HubErrorText(body: response.body)
        self.verdict = HubReply.verdict(
            status: response.status,
            hasRetryAfter: headers.hasRetryAfter || retryAfter != nil,
            retryAfter: retryAfter
        )
        self.status = response.status
        self.notificationID = verdict == .accepted ? headers.notificationID : nil
        self.trackingID = headers.trackingID ?? error.trackingID
        self.correlation = headers.correlationID
        self.detail = error.detail
        self.retryAfter = retryAfter
        self.mayHaveBeenAccepted = HubReply.mayHaveBeenAccepted(status: response.status)
        self.label = verdict.label
    }

    init(_ error: HTTPTransportError) {
        self.verdict = HubReply.verdict(error)
        self.status = nil
        self.notificationID = nil
        self.trackingID = nil
        self.correlation = nil
        self.detail = HubErrorText.safe(error.message)
        self.retryAfter = nil
        self.mayHaveBeenAccepted = verdict == .unknown
        self.label = error.code.rawValue
    }

    /// A text for a log line: verdict, status, detail and tracking ID.
    public var description: String {
        var text = "the hub's response: \(verdict.label)"
        if let status { text += " (\(status))" }
        if !detail.isEmpty { text += ": \(detail)" }
        if let trackingID { text += "; TrackingId \(trackingID)" }
        return text
    }
}
