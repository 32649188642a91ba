import NewsflashBasics

/// The address of an app on a device at its push service; the service's term is PNS handle.
///
/// ```swift
/// PushChannel.apns(deviceToken: "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0")
/// PushChannel(.fcmv1, handle: token)
/// ```
public struct PushChannel: Hashable, Sendable {
    /// The platform of the channel.
    public let platform: PushPlatform
    /// The parts of the channel: the handle, for Baidu user and channel, for browsers the endpoint and its two keys.
    package let parts: [String]

    /// Creates a channel of any platform whose channel is one text.
    ///
    /// - Parameters:
    ///   - platform: The platform; Baidu and browsers need their own form.
    ///   - handle: The token, ID or URI that the push service issued.
    public init(_ platform: PushPlatform, handle: String) {
        self.init(platform, parts: [handle])
    }

    package init(_ platform: PushPlatform, parts: [String]) {
        self.platform = platform
        self.parts = parts
    }

    /// An Apple device token: an even number of hexadecimal digits.
    public static func apns(deviceToken: String) -> PushChannel { PushChannel(.apns, handle: deviceToken) }

    /// A Firebase registration token or installation ID.
    public static func fcmv1(registrationID: String) -> PushChannel { PushChannel(.fcmv1, handle: registrationID) }

    /// A registration of Firebase's old protocol.
    public static func gcm(registrationID: String) -> PushChannel { PushChannel(.gcm, handle: registrationID) }

    /// A Windows channel.
    public static func wns(uri: String) -> PushChannel { PushChannel(.wns, handle: uri) }

    /// A Windows Phone channel.
    public static func mpns(uri: String) -> PushChannel { PushChannel(.mpns, handle: uri) }

    /// An Amazon registration.
    public static func adm(registrationID: String) -> PushChannel { PushChannel(.adm, handle: registrationID) }

    /// A Baidu user and channel.
    public static func baidu(userID: String, channelID: String) -> PushChannel {
        PushChannel(.baidu, parts: [userID, channelID])
    }

    /// A subscription of a browser: its endpoint and keys (RFC 8291).
    public static func browser(endpoint: String, p256dh: String, auth: String) -> PushChannel {
        PushChannel(.browser, parts: [endpoint, p256dh, auth])
    }

    /// A Xiaomi registration.
    public static func xiaomi(registrationID: String) -> PushChannel { PushChannel(.xiaomi, handle: registrationID) }

    /// The text that identifies the channel within its platform: a token, an ID or a URI; for Baidu `userId-channelId`.
    public var handle: String { platform == .baidu ? parts.joined(separator: "-") : parts.first ?? "" }
}

extension PushChannel {
    /// Checks the channel and returns it as the hub stores it.
    ///
    /// Apple tokens are stored in upper case. The error texts are those of the service's contracts, as in the .NET SDK.
    ///
    /// - Parameter path: The position in the document, for errors.
    /// - Returns: The same channel in the hub's spelling.
    /// - Throws: ``HubValueError`` with the fault of the handle, without the handle.
    package func checked(at path: String) throws(HubValueError) -> PushChannel {
        guard let facts = platform.facts else { throw .unknownPlatform(at: path) }
        switch platform {
        case .apns:
            try require(
                !handle.isEmpty && handle.utf8.count.isMultiple(of: 2),
                "Device token is either empty OR it has odd number of nibbles.",
                at: path
            )
            try require(
                handle.utf8.allSatisfy(\.isHexadecimalDigit),
                "One or more characters in device token is not a hexadecimal digit.",
                at: path
            )
            return .apns(deviceToken: handle.uppercased())
        case .wns, .mpns:
            try require(handle.isAbsoluteURI, "Channel URI is either null, empty or not absolute value.", at: path)
        case .browser:
            try require(
                isComplete,
                "Browser push channel is invalid: endpoint, p256dh and auth are required.",
                at: path
            )
        default: try require(isComplete, "\(facts.handleName) is invalid.", at: path)
        }
        return self
    }

    /// Whether all parts of the platform's channel are present.
    private var isComplete: Bool {
        parts.count == platform.facts?.channelElements.count && parts.allSatisfy(\.isHandle)
    }

    private func require(_ holds: Bool, _ message: String, at path: String) throws(HubValueError) {
        if !holds { throw HubValueError(.deviceInvalidChannel, message, at: path) }
    }
}

extension HubValueError {
    /// The error for a platform that this version does not know.
    static func unknownPlatform(at path: String) -> HubValueError {
        let known = PushPlatform.allCases.map(\.rawValue).joined(separator: ", ")
        return HubValueError(
            .deviceUnknownPlatform,
            "The platform of an installation must be one of \(known).",
            at: path
        )
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
