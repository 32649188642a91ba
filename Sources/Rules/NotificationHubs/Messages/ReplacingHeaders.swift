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
        var id = collapseID
        var lines: [UInt8] = []
        id.withUTF8 { id in
            lines.append(addingCapacity: Self.longest) { lines in
                lines.append("apns-expiration: ")
                lines.append(digitsOf: max(0, expires.seconds))
                lines.append("\r\napns-collapse-id: ")
                unsafe lines.append(contentsOf: id)
                if let priority {
                    lines.append("\r\napns-priority: ")
                    lines.append(digitsOf: Int64(priority.rawValue))
                }
                lines.append("\r\nX-WNS-TTL: ")
                lines.append(digitsOf: max(0, timeToLive.components.seconds))
                lines.append("\r\nX-WNS-Tag: ")
                unsafe lines.append(contentsOf: id)
                lines.append("\r\nX-WNS-Group: newsflash\r\n")
            }
        }
        headers = HTTPHeaders(checkedLines: lines, framingNames: [])
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }
}
