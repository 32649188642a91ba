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
        let headers = try ReplacingHeaders(
            collapseID: collapseID,
            expires: expires,
            timeToLive: timeToLive,
            priority: priority
        )
        try self.init(template: body, replacing: headers)
    }

    /// Takes the properties of one of several template sends that go with the same headers.
    ///
    /// - Parameters:
    ///   - body: A JSON object of strings that its maker answers for; at most ``maximumBytes``.
    ///   - headers: What they take the place of.
    /// - Throws: ``HubMessageError`` for the size.
    package init(template body: [UInt8], replacing headers: ReplacingHeaders) throws(HubMessageError) {
        try Self.checkSize(of: body)
        self.init(checkedTemplate: body, headers: headers.headers)
    }
}
