import ASCII

/// The `$filter` of a list of registrations: those of one device.
///
/// Clients spell it in different ways, and all are taken: .NET and Java write `ChannelUri eq '…'` for every platform, the
/// JavaScript SDK the platform's own names, some of its values percent-encoded and one with a quote missing
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

    /// Reads a filter from a query, where a blank may be a plus.
    ///
    /// - Parameter query: The value of `$filter` with its percent-encoding.
    /// - Throws: ``DeviceError`` for what is no filter of a channel.
    public init(query: String) throws(DeviceError) {
        let blanks = query.replacing("+", with: " ")
        try self.init(PercentEncoding.decode(blanks) ?? blanks)
    }

    /// Reads a filter.
    ///
    /// - Parameter text: Without percent-encoding.
    /// - Throws: ``DeviceError`` for what is no filter of a channel.
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

    /// The handles under which the device's registrations may be kept, in the words of ``PushChannel/handle``: as it was
    /// written, without percent-encoding, and in upper case for Apple. Some of them may be those of other devices: ask
    /// ``matches(_:)`` of what is found.
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

    /// Whether a registration with this channel is meant.
    ///
    /// - Parameter channel: How the registration's device is reached.
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

    /// Whether the names that stand together are those of one platform.
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
    /// The name before `eq` and what follows it.
    private static func comparison(_ text: Substring) -> (Name, Substring)? {
        let words = text.trimmed.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1].lowercased() == "eq",
            let name = Name.allCases.first(where: { $0.rawValue.isEqualIgnoringCase(String(words[0])) })
        else { return nil }
        return (name, words[2].trimmed)
    }

    /// Where the next comparison is joined on: the word `and` with a name and `eq` behind it. Quotes are not counted, since
    /// one may be missing.
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

    /// Without the quotes at the ends, of which either may be missing; a doubled quote inside is one.
    private static func unquoted(_ text: Substring) -> String {
        var text = text.trimmed
        if text.first == "'" { text.removeFirst() }
        if text.last == "'" { text.removeLast() }
        return String(text.replacing("''", with: "'"))
    }
}
