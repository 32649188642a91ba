import ASCII
import HTTPTransport
import StrictJSON
package import Timestamps

/// The headers by which template sends take the place of their doubles on Apple's and Windows' devices.
///
/// The same as `HTTPHeaders.apns` and `HTTPHeaders.wns` make, without looking at each of them again.
package struct ReplacingHeaders: Sendable {
    /// The most bytes of all lines: two numbers of 20 digits and two ids of 16 characters among them.
    private static let longest = 256

    let headers: HTTPHeaders

    /// Makes the headers.
    ///
    /// - Parameters:
    ///   - collapseID: The same for all that replace each other: 1 to 16 ASCII letters and digits.
    ///   - expires: When the push is too old to be shown.
    ///   - timeToLive: How long that is from now on.
    ///   - priority: For Apple; `nil` for what the hub gives it.
    /// - Throws: ``HubMessageError`` for the id.
    package init(
        collapseID: String,
        expires: Timestamp,
        timeToLive: Duration,
        priority: APNsPriority?
    ) throws(HubMessageError) {
        guard (1...16).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw HubMessageError(
                .invalidHeader,
                "a collapse id for all platforms has 1 to 16 ASCII letters and digits"
            )
        }
        self.init(expires: expires, secondsToLive: timeToLive.components.seconds, priority: priority) { lines in
            unsafe collapseID.withBytes { unsafe lines.append(contentsOf: $0) }
        }
    }

    /// Makes the headers with an id of 16 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - collapseNumber: The number that has these digits, the same for all that replace each other.
    ///   - expires: When the push is too old to be shown.
    ///   - secondsToLive: How long that is from now on.
    ///   - priority: For Apple; `nil` for what the hub gives it.
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
