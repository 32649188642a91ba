import HTTPTransport
import Timestamps

/// What one attempt to send came to.
public struct HubReply: Sendable, Equatable, CustomStringConvertible {
    /// The most characters of ``detail``.
    public static let maximumDetailLength = 512

    /// What the answer means for the next step.
    public enum Verdict: Sendable, Equatable {
        /// The hub has it.
        case accepted
        /// Not now: too many calls. Not accepted; may be sent again after the pause, where one was named.
        case throttled(after: Duration?)
        /// The hub does not take this request, and would not later.
        case refused
        /// The token was not accepted: key, policy name or clock are wrong.
        case unauthorized
        /// The policy lacks the Send claim, or the tier lacks the operation.
        case forbidden
        /// No hub answers at this address.
        case notFound
        /// What was addressed no longer exists.
        case gone
        /// The service, or the way to it, is out of order.
        case unavailable
        /// The request never went out: the caller ended it, or it was too late to begin.
        case notSent
        /// The request was on its way when the connection ended: it may have been accepted or not.
        case unknown

        /// Whether the same request may succeed later without anyone's doing.
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

    /// What the answer means.
    public let verdict: Verdict
    /// The status code, where there was an answer.
    public let status: Int?
    /// The message's name for telemetry: the last part of `Location`; only on the standard tier.
    public let notificationID: String?
    /// The service's name for the request, from its header or from the text of the error.
    public let trackingID: String?
    /// The service's name for the chain of requests.
    public var correlationID: String? { correlation?.text }
    /// What the service or the transport said, at most ``maximumDetailLength`` characters. Of an answer's body only words
    /// that are known to be the service's own: a proxy may repeat the request there, with text of news or credentials.
    public let detail: String
    /// The pause that the service asked for, with whatever status.
    public let retryAfter: Duration?
    /// Whether the hub may have the message, so that sending it again may push it twice.
    public let mayHaveBeenAccepted: Bool
    /// The short label for metrics: of the verdict, or of the transport's error.
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

    /// For a log line: verdict, status, what was said, tracking id.
    public var description: String {
        var text = "the hub's answer: \(verdict.label)"
        if let status { text += " (\(status))" }
        if !detail.isEmpty { text += ": \(detail)" }
        if let trackingID { text += "; TrackingId \(trackingID)" }
        return text
    }
}
