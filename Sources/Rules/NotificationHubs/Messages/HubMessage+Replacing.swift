public import Timestamps

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
