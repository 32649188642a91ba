import ASCII

extension PushChannel {
    /// Checks the channel and returns it as the hub stores it.
    ///
    /// Apple tokens are stored in upper case. The error texts are those of the service's contracts, as in the .NET SDK.
    ///
    /// - Parameter path: The position in the document, for errors.
    /// - Returns: The same channel in the hub's spelling.
    /// - Throws: ``DeviceError`` with the fault of the handle, without the handle.
    package func checked(at path: String) throws(DeviceError) -> PushChannel {
        switch self {
        case .apns(let token):
            try PushChannel.require(
                !token.isEmpty && token.utf8.count.isMultiple(of: 2),
                "Device token is either empty OR it has odd number of nibbles.",
                at: path
            )
            try PushChannel.require(
                token.utf8.allSatisfy(\.isHexadecimalDigit),
                "One or more characters in device token is not a hexadecimal digit.",
                at: path
            )
            return .apns(deviceToken: token.uppercased())
        case .wns(let uri), .mpns(let uri):
            try PushChannel.require(
                uri.isAbsoluteURI,
                "Channel URI is either null, empty or not absolute value.",
                at: path
            )
        case .fcmv1(let id): try PushChannel.require(id.isHandle, "FCM V1 Registration Id is invalid.", at: path)
        case .gcm(let id): try PushChannel.require(id.isHandle, "GCM Registration Id is invalid.", at: path)
        case .adm(let id): try PushChannel.require(id.isHandle, "ADM Registration Id is invalid.", at: path)
        case .xiaomi(let id): try PushChannel.require(id.isHandle, "Xiaomi Registration Id is invalid.", at: path)
        case .baidu(let user, let channel):
            try PushChannel.require(user.isHandle && channel.isHandle, "Baidu Registration Id is invalid.", at: path)
        case .browser(let endpoint, let p256dh, let auth):
            try PushChannel.require(
                endpoint.isHandle && p256dh.isHandle && auth.isHandle,
                "Browser push channel is invalid: endpoint, p256dh and auth are required.",
                at: path
            )
        }
        return self
    }

    private static func require(_ holds: Bool, _ message: String, at path: String) throws(DeviceError) {
        if !holds { throw DeviceError(.invalidChannel, message, at: path) }
    }
}

extension String {
    /// Whether the text is not empty and has no blanks or control characters.
    fileprivate var isHandle: Bool { !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }

    /// Whether the text has a scheme (RFC 3986, section 3.1), a colon and at least one more character.
    fileprivate var isAbsoluteURI: Bool {
        guard isHandle, let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first,
            first.isLetter, utf8.index(after: colon) < utf8.endIndex
        else { return false }
        return utf8[..<colon].allSatisfy { $0.isLetter || "0123456789+-.".utf8.contains($0) }
    }
}
