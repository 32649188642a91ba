import NewsflashBasics
package import NewsflashHTTPTransport
package import NewsflashTimestamps

extension HTTPHeaders {
    /// Creates headers with which a template send replaces duplicates and earlier revisions on Apple and Windows devices.
    ///
    /// - Parameters:
    ///   - collapseID: The ID shared by all messages that replace each other: 1 to 16 ASCII letters and digits, the limit of
    ///     the strictest platform.
    ///   - expires: When the message becomes too old to be shown.
    ///   - timeToLive: The time until `expires`.
    ///   - priority: The priority for Apple; `nil` for the hub's default.
    /// - Returns: The headers for both platforms.
    /// - Throws: ``HubValueError`` if the ID is invalid.
    package static func replacing(
        collapseID: String,
        expires: Timestamp,
        timeToLive: Duration,
        priority: Int?
    ) throws(HubValueError) -> HTTPHeaders {
        guard (1...16).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw HubValueError(
                .messageInvalidHeader,
                "a collapse ID for all platforms must have 1 to 16 ASCII letters and digits"
            )
        }
        var headers = try apns(priority: priority, expiration: expires, collapseID: collapseID)
        headers.append(wns(timeToLive: timeToLive, tag: collapseID, group: "newsflash"))
        return headers
    }
}

extension HubMessage {

    /// Creates one of several template messages with the same headers.
    ///
    /// - Parameters:
    ///   - body: A valid JSON object of strings, not checked; at most ``maximumBytes``.
    ///   - headers: The headers from ``NewsflashHTTPTransport/HTTPHeaders/replacing(collapseID:expires:timeToLive:priority:)``,
    ///     not checked.
    /// - Throws: ``HubValueError`` if the size is invalid.
    package init(template body: [UInt8], replacing headers: HTTPHeaders) throws(HubValueError) {
        try Self.checkSize(of: body)
        self.init(checkedTemplate: body, headers: headers)
    }
}
