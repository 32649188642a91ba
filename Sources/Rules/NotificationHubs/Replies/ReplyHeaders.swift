import HTTPTransport
import Timestamps

/// What an answer's headers say that matters here, found in one pass.
struct ReplyHeaders {
    /// The message's name, from the last part of `Location`.
    private(set) var notificationID: String?
    private var hasLocation = false
    private(set) var trackingID: String?
    private(set) var correlationID: String?
    private(set) var retryAfter: String?
    /// Milliseconds, as gateways of Azure write them.
    private var retryAfterMilliseconds: String?

    init(_ headers: HTTPHeaders) {
        var position = 0
        while let line = headers.nextLine(at: &position) {
            // Names by their length, so that nearly every other field is passed over at once.
            switch line.name.count {
            case 8 where !hasLocation && headers.reads("Location", at: line.name):
                hasLocation = true
                notificationID = Self.lastPart(of: headers.wireForm.span, in: line.value).map(headers.text)
            case 10 where trackingID == nil && headers.reads("TrackingId", at: line.name):
                trackingID = headers.text(line.value)
            case 11 where retryAfter == nil && headers.reads("Retry-After", at: line.name):
                retryAfter = headers.text(line.value)
            case 14 where headers.reads("retry-after-ms", at: line.name):
                retryAfterMilliseconds = headers.text(line.value)
            case 19 where retryAfterMilliseconds == nil && headers.reads("x-ms-retry-after-ms", at: line.name):
                retryAfterMilliseconds = headers.text(line.value)
            case 27 where correlationID == nil && headers.reads("x-ms-correlation-request-id", at: line.name):
                correlationID = headers.text(line.value)
            default: break
            }
        }
    }

    /// The pause in `Retry-After`, or in the forms that gateways of Azure use.
    func pause(now: Timestamp) -> Duration? {
        if let retryAfter, let pause = RetryAfter.pause(retryAfter, now: now) { return pause }
        guard let retryAfterMilliseconds, let milliseconds = Int64(retryAfterMilliseconds), milliseconds >= 0 else {
            return nil
        }
        return .milliseconds(min(milliseconds, 86_400_000))
    }

    /// The last part of the path of `Location`: what stands before it has changed over the years.
    ///
    /// - Parameters:
    ///   - bytes: The lines of the headers.
    ///   - value: Where the field's value stands.
    /// - Returns: Where it stands; nothing where there is none.
    private static func lastPart(of bytes: Span<UInt8>, in value: Range<Int>) -> Range<Int>? {
        var end = value.lowerBound
        var start: Int?
        while end < value.upperBound, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
            if bytes[end] == UInt8(ascii: "/") { start = end + 1 }
            end += 1
        }
        // Two slashes in a row stand before a host, not before an id.
        guard let start, start < end, start < value.lowerBound + 2 || bytes[start - 2] != UInt8(ascii: "/") else {
            return nil
        }
        return start..<min(end, start + 256)
    }
}
