import Basics
import HTTPTransport
import StrictJSON
public import Timestamps

/// Headers that let a template send replace duplicates and earlier revisions on Apple and Windows devices.
///
/// They equal those of `HTTPHeaders.apns` and `HTTPHeaders.wns`, without checking each of them again.
package struct ReplacingHeaders: Sendable {
    /// The maximum size of all lines in bytes; includes two numbers of 20 digits and two IDs of 16 characters.
    private static let longest = 256

    let headers: HTTPHeaders

    /// Creates the headers.
    ///
    /// - Parameters:
    ///   - collapseID: The ID shared by all messages that replace each other: 1 to 16 ASCII letters and digits.
    ///   - expires: When the push becomes too old to be shown.
    ///   - timeToLive: The time until `expires`.
    ///   - priority: The priority for Apple; `nil` for the hub's default.
    /// - Throws: ``HubMessageError`` if the ID is invalid.
    package init(
        collapseID: String,
        expires: Timestamp,
        timeToLive: Duration,
        priority: APNsPriority?
    ) throws(HubMessageError) {
        guard (1...16).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw HubMessageError(
                .invalidHeader,
                "a collapse ID for all platforms must have 1 to 16 ASCII letters and digits"
            )
        }
        self.init(expires: expires, secondsToLive: timeToLive.components.seconds, priority: priority) { lines in
            unsafe collapseID.withBytes { unsafe lines.append(contentsOf: $0) }
        }
    }

    /// Creates the headers with an ID of 16 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - collapseNumber: The ID as a number, shared by all messages that replace each other.
    ///   - expires: When the push becomes too old to be shown.
    ///   - secondsToLive: The time until `expires`, in seconds.
    ///   - priority: The priority for Apple; `nil` for the hub's default.
    package init(collapseNumber: UInt64, expires: Timestamp, secondsToLive: Int64, priority: APNsPriority?) {
        self.init(expires: expires, secondsToLive: secondsToLive, priority: priority) { lines in
            lines.append(hexadecimalDigitsOf: collapseNumber)
        }
    }

    // `appendID` appends at most 16 bytes.
    @inline(__always)
    private init(
        expires: Timestamp,
        secondsToLive: Int64,
        priority: APNsPriority?,
        appendID: (inout OutputSpan<UInt8>) -> Void
    ) {
        var lines: [UInt8] = []
        lines.append(addingCapacity: Self.longest) { lines in
            lines.write("apns-expiration: ", integer: max(0, expires.seconds))
            lines.write("\r\napns-collapse-id: ")
            appendID(&lines)
            if let priority { lines.write("\r\napns-priority: ", integer: Int64(priority.rawValue)) }
            lines.write("\r\nX-WNS-TTL: ", integer: max(0, secondsToLive))
            lines.write("\r\nX-WNS-Tag: ")
            appendID(&lines)
            lines.write("\r\nX-WNS-Group: newsflash\r\n")
        }
        headers = HTTPHeaders(checkedLines: lines, framingNames: [])
    }
}

extension HubMessage {
    /// Creates a template message that replaces duplicates and earlier revisions on Apple and Windows devices. On other
    /// platforms the template body must contain the collapse ID.
    ///
    /// The headers equal those of `HTTPHeaders.apns` and `HTTPHeaders.wns`, without checking each of them again.
    ///
    /// - Parameters:
    ///   - body: A valid JSON object of strings, not checked; at most ``maximumBytes``.
    ///   - collapseID: The ID shared by all messages that replace each other: 1 to 16 ASCII letters and digits, the limit of
    ///     the
    ///     strictest platform.
    ///   - expires: When the message becomes too old to be shown.
    ///   - timeToLive: The time until `expires`.
    ///   - priority: The priority for Apple; `nil` for the hub's default.
    /// - Throws: ``HubMessageError`` if the size or the ID is invalid.
    public init(
        template body: [UInt8],
        replacing collapseID: String,
        expires: Timestamp,
        timeToLive: Duration,
        priority: APNsPriority? = nil
    ) throws(HubMessageError) {
        let headers = try ReplacingHeaders(
            collapseID: collapseID,
            expires: expires,
            timeToLive: timeToLive,
            priority: priority
        )
        try self.init(template: body, replacing: headers)
    }

    /// Creates one of several template messages with the same headers.
    ///
    /// - Parameters:
    ///   - body: A valid JSON object of strings, not checked; at most ``maximumBytes``.
    ///   - headers: The headers.
    /// - Throws: ``HubMessageError`` if the size is invalid.
    package init(template body: [UInt8], replacing headers: ReplacingHeaders) throws(HubMessageError) {
        try Self.checkSize(of: body)
        self.init(checkedTemplate: body, headers: headers.headers)
    }
}
