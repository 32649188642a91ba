import ASCII
import HTTPTransport
public import Timestamps

extension HubMessage {
    /// Takes the properties of a template send that takes the place of its double, and of what came before it, on Apple's
    /// and Windows' devices. The others take that from their template's body.
    ///
    /// The same headers as `HTTPHeaders.apns` and `HTTPHeaders.wns` make, without looking at each of them again.
    ///
    /// - Parameters:
    ///   - body: A JSON object of strings that its maker answers for; at most ``maximumBytes``.
    ///   - collapseID: The same for all that replace each other: 1 to 16 ASCII letters and digits, as the shortest platform
    ///     takes it.
    ///   - expires: When it is too old to be shown.
    ///   - timeToLive: How long that is from now on.
    ///   - priority: For Apple; `nil` for what the hub gives it.
    /// - Throws: ``HubMessageError`` for the size or the id.
    public init(
        template body: [UInt8],
        replacing collapseID: String,
        expires: Timestamp,
        timeToLive: Duration,
        priority: APNsPriority? = nil
    ) throws(HubMessageError) {
        guard (1...16).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw HubMessageError(
                .invalidHeader,
                "a collapse id for all platforms has 1 to 16 ASCII letters and digits"
            )
        }
        var headers = HTTPHeaders(copying: [], reserving: 192)
        headers.append("apns-expiration", String(Swift.max(0, expires.seconds)))
        headers.append("apns-collapse-id", collapseID)
        if let priority { headers.append("apns-priority", String(priority.rawValue)) }
        headers.append("X-WNS-TTL", String(Swift.max(0, timeToLive.components.seconds)))
        headers.append("X-WNS-Tag", collapseID)
        headers.append("X-WNS-Group", "newsflash")
        try Self.checkSize(of: body)
        self.init(checkedTemplate: body, headers: headers)
    }
}
