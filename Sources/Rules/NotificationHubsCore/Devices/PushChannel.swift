import Basics

/// The address of an app on a device at its push service; the service's term is PNS handle.
public enum PushChannel: Hashable, Sendable {
    /// An Apple device token: an even number of hexadecimal digits.
    case apns(deviceToken: String)
    /// A Firebase registration token.
    case fcmv1(registrationID: String)
    /// A registration of Firebase's old protocol.
    case gcm(registrationID: String)
    /// A Windows channel.
    case wns(uri: String)
    /// A Windows Phone channel.
    case mpns(uri: String)
    /// An Amazon registration.
    case adm(registrationID: String)
    /// A Baidu user and channel.
    case baidu(userID: String, channelID: String)
    /// A subscription of a browser: its endpoint and keys (RFC 8291).
    case browser(endpoint: String, p256dh: String, auth: String)
    /// A Xiaomi registration.
    case xiaomi(registrationID: String)

    /// The platform of the channel.
    public var platform: PushPlatform {
        switch self {
        case .apns: .apns
        case .fcmv1: .fcmv1
        case .gcm: .gcm
        case .wns: .wns
        case .mpns: .mpns
        case .adm: .adm
        case .baidu: .baidu
        case .browser: .browser
        case .xiaomi: .xiaomi
        }
    }

    /// The text that identifies the channel within its platform: a token, an ID or a URI; for Baidu `userId-channelId`.
    public var handle: String {
        switch self {
        case .apns(let handle), .fcmv1(let handle), .gcm(let handle), .wns(let handle), .mpns(let handle),
            .adm(let handle), .xiaomi(let handle), .browser(let handle, _, _):
            handle
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        }
    }
}

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

/// A push service that delivers notifications to devices. The raw value is the `platform` of installations.
public enum PushPlatform: String, Sendable, CaseIterable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging, HTTP version 1.
    case fcmv1
    /// Firebase's old protocol, which Google switched off in 2024.
    case gcm
    /// Windows Push Notification Services.
    case wns
    /// Windows Phone, discontinued.
    case mpns
    /// Amazon Device Messaging.
    case adm
    /// Baidu.
    case baidu
    /// Web push (RFC 8030).
    case browser
    /// Xiaomi.
    case xiaomi

    /// Decodes the name, ignoring case.
    ///
    /// - Parameter name: The name; clients use `fcmV1`, `fcmv1` and `FCMV1`.
    public init?(name: String) {
        self.init(rawValue: name.lowercased())
    }
}

/// The `$filter` of a list of registrations: selects the registrations of one device.
///
/// All spellings of the SDKs are accepted: .NET and Java send `ChannelUri eq '…'` for every platform; the JavaScript SDK sends
/// the platform's own names, with some values percent-encoded and one without a closing quote
/// (https://learn.microsoft.com/rest/api/notificationhubs/read-all-registrations-channel).
public struct ChannelFilter: Hashable, Sendable {
    private enum Name: String, CaseIterable {
        case channelURI = "ChannelUri"
        case deviceToken = "DeviceToken"
        case gcm = "GcmRegistrationId"
        case fcmv1 = "FcmV1RegistrationId"
        case adm = "AdmRegistrationId"
        case xiaomi = "XiaomiRegistrationId"
        case baiduUser = "BaiduUserId"
        case baiduChannel = "BaiduChannelId"
        case endpoint = "Endpoint"
        case p256dh = "P256DH"
        case auth = "Auth"
    }

    private var values: [Name: String] = [:]

    /// Decodes a filter from a query, in which a plus means a blank.
    ///
    /// - Parameter query: The percent-encoded value of `$filter`.
    /// - Throws: ``DeviceError`` if it is not a filter for a channel.
    public init(query: String) throws(DeviceError) {
        let blanks = query.replacing("+", with: " ")
        try self.init(PercentEncoding.decode(blanks) ?? blanks)
    }

    /// Parses a filter.
    ///
    /// - Parameter text: The filter, without percent-encoding.
    /// - Throws: ``DeviceError`` if it is not a filter for a channel.
    public init(_ text: String) throws(DeviceError) {
        var rest = text[...]
        repeat {
            guard let (name, operand) = Self.comparison(rest) else { throw Self.invalid }
            let end = Self.endOfComparison(operand)
            guard values.updateValue(Self.unquoted(operand[..<end.lowerBound]), forKey: name) == nil else {
                throw Self.invalid
            }
            rest = operand[end.upperBound...]
        } while !rest.isEmpty
        guard isComplete, !values.values.contains(where: \.isEmpty) else { throw Self.invalid }
    }

    /// The possible values of ``PushChannel/handle`` of the device's registrations: as written, percent-decoded, and in upper
    /// case
    /// for Apple. Some may belong to other devices, so check each registration found with ``matches(_:)``.
    public var handles: [String] {
        let handle =
            if let user = values[.baiduUser], let channel = values[.baiduChannel] {
                "\(user)-\(channel)"
            } else {
                values.first { $0.key != .p256dh && $0.key != .auth }?.value ?? ""
            }
        var handles = [handle]
        for other in [PercentEncoding.decode(handle) ?? handle, handle.uppercased()] where !handles.contains(other) {
            handles.append(other)
        }
        return handles
    }

    /// Whether the filter selects a registration with this channel.
    ///
    /// - Parameter channel: The channel of the registration.
    /// - Returns: Whether every comparison holds.
    public func matches(_ channel: PushChannel) -> Bool {
        values.allSatisfy { name, wanted in
            guard let found = Self.value(of: name, in: channel) else { return false }
            if case .apns = channel { return found.isEqualIgnoringCase(wanted) }
            return found == wanted || found == PercentEncoding.decode(wanted)
        }
    }

    private static func value(of name: Name, in channel: PushChannel) -> String? {
        switch (name, channel) {
        case (.channelURI, _), (.deviceToken, .apns), (.gcm, .gcm), (.fcmv1, .fcmv1), (.adm, .adm), (.xiaomi, .xiaomi),
            (.endpoint, .browser):
            channel.handle
        case (.baiduUser, .baidu(let user, _)): user
        case (.baiduChannel, .baidu(_, let channel)): channel
        case (.p256dh, .browser(_, let p256dh, _)): p256dh
        case (.auth, .browser(_, _, let auth)): auth
        default: nil
        }
    }

    /// Whether the compared names belong together and to one platform.
    private var isComplete: Bool {
        let names = Set(values.keys)
        if names.contains(.endpoint) { return names.isSubset(of: [.endpoint, .p256dh, .auth]) }
        if names.contains(.baiduUser) { return names == [.baiduUser, .baiduChannel] }
        return names.count == 1 && names.isDisjoint(with: [.baiduChannel, .p256dh, .auth])
    }

    private static let invalid = DeviceError(
        .invalidFilter,
        "The filter is not supported. Write ChannelUri eq 'handle'.",
        at: "$filter"
    )
}

extension ChannelFilter {
    /// Splits a comparison into the name before `eq` and the rest after it.
    private static func comparison(_ text: Substring) -> (Name, Substring)? {
        let words = text.trimmed.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1].lowercased() == "eq",
            let name = Name.allCases.first(where: { $0.rawValue.isEqualIgnoringCase(String(words[0])) })
        else { return nil }
        return (name, words[2].trimmed)
    }

    /// The position of the `and` before the next comparison, recognized by a name and `eq` after it. Quotes are not counted,
    /// because one may be missing.
    private static func endOfComparison(_ text: Substring) -> Range<Substring.Index> {
        for start in text.utf8.indices where text.utf8[start] == UInt8(ascii: " ") {
            let rest = text.utf8[start...]
            guard zip(rest, joint).allSatisfy({ $0.lowercasedASCII == $1 }),
                let end = rest.index(start, offsetBy: joint.count, limitedBy: rest.endIndex),
                comparison(text[end...]) != nil
            else { continue }
            return start..<end
        }
        return text.endIndex..<text.endIndex
    }

    private static let joint = Array(" and ".utf8)

    /// The text without its quotes, either of which may be missing; a doubled quote stands for one quote.
    private static func unquoted(_ text: Substring) -> String {
        var text = text.trimmed
        if text.first == "'" { text.removeFirst() }
        if text.last == "'" { text.removeLast() }
        return String(text.replacing("''", with: "'"))
    }
}
