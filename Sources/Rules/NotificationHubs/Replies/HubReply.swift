import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps

/// The result of one attempt to send.
package struct HubReply: Sendable, Equatable, CustomStringConvertible {
    /// The maximum number of characters in ``detail``.
    package static let maximumDetailLength = 512

    /// The meaning of a response for the next step.
    package enum Verdict: Sendable, Equatable {
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
        package var isRetriable: Bool {
            switch self {
            case .throttled, .unavailable, .notSent, .unknown: true
            case .accepted, .refused, .unauthorized, .forbidden, .notFound, .gone: false
            }
        }

        /// The short label for metrics.
        package var label: String {
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
    package let verdict: Verdict
    /// The status code, if there was a response.
    package let status: Int?
    /// The message's ID for telemetry: the last part of `Location`; only on the standard tier.
    package let notificationID: String?
    /// The service's ID of the request, from its header or from the text of the error.
    package let trackingID: String?
    /// The service's ID of the chain of requests.
    package var correlationID: String? { correlation?.text }
    /// The text from the service or the transport, at most ``maximumDetailLength`` characters. Of a response body it contains
    /// only known phrases of the service, because a proxy may repeat the request there, with text of news or credentials. So it
    /// can be logged. ``serviceText`` contains all words.
    package let detail: String
    /// The body of an error response, at most 8192 bytes. It may repeat anything of the request: do not log it.
    package let body: [UInt8]
    /// The words of the service in ``body``, for the person who can change the request: one line of at most
    /// ``maximumDetailLength`` characters, without credentials and device handles.
    ///
    /// A text of the message may be repeated there, so a program that sends news must not log it.
    package var serviceText: String { HubErrorText.words(in: body) }
    /// The pause that the service requested, with any status.
    package let retryAfter: Duration?
    /// Whether the hub may have accepted the message, so that sending it again may push it twice.
    package let mayHaveBeenAccepted: Bool
    /// The short label for metrics, from the verdict or from the transport's error.
    package let label: String
    private let correlation: HeaderText?

    init(_ response: HTTPResponse, now: Timestamp) {
        let headers = ReplyHeaders(response.headers)
        let retryAfter = headers.pause(now: now)
        let isSuccess = (200..<300).contains(response.status)
        let error = isSuccess ? HubErrorText() : HubErrorText(body: response.body)
        self.body = isSuccess ? [] : Array(response.body.prefix(HubErrorText.maximumBytes))
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
        self.body = []
        self.detail = HubErrorText.safe(error.message)
        self.retryAfter = nil
        self.mayHaveBeenAccepted = verdict == .unknown
        self.label = error.code.rawValue
    }

    /// A text for a log line: verdict, status, detail and tracking ID.
    package var description: String { description(with: detail) }

    /// The description with another text of the service.
    func description(with words: String) -> String {
        var text = "the hub's response: \(verdict.label)"
        if let status { text += " (\(status))" }
        if !words.isEmpty { text += ": \(words)" }
        if let trackingID { text += "; TrackingId \(trackingID)" }
        return text
    }
}

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

/// The relevant headers of a response, found in one pass and decoded on demand.
struct ReplyHeaders {
    private let headers: HTTPHeaders
    // The positions of the values.
    private var location: Range<Int>?
    private var tracking: Range<Int>?
    private var correlation: Range<Int>?
    private var retryAfter: Range<Int>?
    /// A pause in milliseconds, as sent by Azure gateways.
    private var retryAfterMilliseconds: Range<Int>?

    init(_ headers: HTTPHeaders) {
        self.headers = headers
        var position = 0
        while let line = headers.nextLine(at: &position) {
            // Names are compared by length first, which skips nearly all other fields.
            switch line.name.count {
            case 8 where location == nil && headers.reads("Location", at: line.name):
                location = line.value
            case 10 where tracking == nil && headers.reads("TrackingId", at: line.name):
                tracking = line.value
            case 11 where retryAfter == nil && headers.reads("Retry-After", at: line.name):
                retryAfter = line.value
            case 14 where headers.reads("retry-after-ms", at: line.name):
                retryAfterMilliseconds = line.value
            case 19 where retryAfterMilliseconds == nil && headers.reads("x-ms-retry-after-ms", at: line.name):
                retryAfterMilliseconds = line.value
            case 27 where correlation == nil && headers.reads("x-ms-correlation-request-id", at: line.name):
                correlation = line.value
            default: break
            }
        }
    }

    /// The message's ID, from the last part of `Location`.
    var notificationID: String? {
        location.flatMap { Self.lastPart(of: headers.wireForm, in: $0) }.map(headers.text)
    }

    /// The service's ID of the request, if it has a valid form.
    var trackingID: String? {
        tracking.flatMap { isName($0) ? headers.text($0) : nil }
    }

    /// The service's ID of the chain of requests, if it has a valid form.
    var correlationID: HeaderText? {
        correlation.flatMap { isName($0) ? HeaderText(headers, $0) : nil }
    }

    /// Whether there is a `Retry-After` with any value.
    var hasRetryAfter: Bool { retryAfter != nil }

    /// The pause in `Retry-After`, or in the headers that Azure gateways use.
    func pause(now: Timestamp) -> Duration? {
        if let retryAfter, let pause = RetryAfter.pause(headers.text(retryAfter), now: now) { return pause }
        guard let retryAfterMilliseconds, let milliseconds = Int64(headers.text(retryAfterMilliseconds)),
            milliseconds >= 0
        else { return nil }
        return .milliseconds(min(milliseconds, 86_400_000))
    }

    /// Whether a value has the form of a request ID: letters, digits, `-` and `_`, at most 64.
    private func isName(_ value: Range<Int>) -> Bool {
        (1...64).contains(value.count)
            && headers.wireForm[value].allSatisfy {
                $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// Returns the last part of the path of `Location`; the parts before it have changed over the years.
    ///
    /// - Parameters:
    ///   - bytes: The lines of the headers.
    ///   - value: The position of the field's value.
    /// - Returns: The position of the last part, or `nil` if there is none.
    private static func lastPart(of bytes: [UInt8], in value: Range<Int>) -> Range<Int>? {
        let end = bytes[value].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? value.upperBound
        var start = end
        while start > value.lowerBound, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
        // Two consecutive slashes precede a host, not an ID.
        guard start > value.lowerBound, start < end,
            start < value.lowerBound + 2 || bytes[start - 2] != UInt8(ascii: "/")
        else { return nil }
        return start..<min(end, start + 256)
    }
}

/// A header value that is decoded on demand; retains the lines of all headers.
struct HeaderText: Sendable, Equatable {
    private let lines: [UInt8]
    private let range: Range<Int>

    /// Refers to a value without copying it.
    ///
    /// - Parameters:
    ///   - headers: The headers that contain the value.
    ///   - range: The position of the value in their lines.
    init(_ headers: HTTPHeaders, _ range: Range<Int>) {
        self.lines = headers.wireForm
        self.range = range
    }

    /// The value; invalid UTF-8 is replaced.
    var text: String { String(decoding: lines[range], as: UTF8.self) }

    static func == (left: HeaderText, right: HeaderText) -> Bool {
        left.lines[left.range] == right.lines[right.range]
    }
}
