import ASCII
import HTTPTransport
import Timestamps

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
        location.flatMap { Self.lastPart(of: headers.wireForm.span, in: $0) }.map(headers.text)
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
            && headers.wireForm.span.endOfName(from: value.lowerBound, below: value.upperBound) == value.upperBound
    }

    /// Returns the last part of the path of `Location`; the parts before it have changed over the years.
    ///
    /// - Parameters:
    ///   - bytes: The lines of the headers.
    ///   - value: The position of the field's value.
    /// - Returns: The position of the last part, or `nil` if there is none.
    private static func lastPart(of bytes: Span<UInt8>, in value: Range<Int>) -> Range<Int>? {
        let end = bytes.endOfPath(from: value.lowerBound, below: value.upperBound)
        var start = end
        while start > value.lowerBound, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
        // Two consecutive slashes precede a host, not an ID.
        guard start > value.lowerBound, start < end,
            start < value.lowerBound + 2 || bytes[start - 2] != UInt8(ascii: "/")
        else { return nil }
        return start..<min(end, start + 256)
    }
}

extension Span<UInt8> {
    /// The position of the first byte that is not a letter, digit, `-` or `_`, or `limit`.
    fileprivate func endOfName(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in ~word.marks(ofLettersDigitsAnd: UInt8(ascii: "-")) }
        return end(from: start, below: limit, marking: marks) {
            $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    /// The position of a query or a fragment, or `limit`.
    fileprivate func endOfPath(from start: Int, below limit: Int) -> Int {
        let marks = { (word: UInt64) in word.marks(of: UInt8(ascii: "?")) | word.marks(of: UInt8(ascii: "#")) }
        return end(from: start, below: limit, marking: marks) { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }
}
