import NewsflashBasics

/// The `$filter` of a list of registrations: selects the registrations of one device.
///
/// All spellings of the SDKs are accepted: .NET and Java send `ChannelUri eq '…'` for every platform; the JavaScript SDK sends
/// the platform's own names, with some values percent-encoded and one without a closing quote
/// (https://learn.microsoft.com/rest/api/notificationhubs/read-all-registrations-channel).
package struct ChannelFilter: Hashable, Sendable {
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
    /// - Throws: ``HubValueError`` if it is not a filter for a channel.
    package init(query: String) throws(HubValueError) {
        let blanks = query.replacing("+", with: " ")
        try self.init(PercentEncoding.decode(blanks) ?? blanks)
    }

    /// Parses a filter.
    ///
    /// - Parameter text: The filter, without percent-encoding.
    /// - Throws: ``HubValueError`` if it is not a filter for a channel.
    package init(_ text: String) throws(HubValueError) {
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
    package var handles: [String] {
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
    package func matches(_ channel: PushChannel) -> Bool {
        values.allSatisfy { name, wanted in
            guard let found = Self.value(of: name, in: channel) else { return false }
            if channel.platform == .apns { return found.isEqualIgnoringCase(wanted) }
            return found == wanted || found == PercentEncoding.decode(wanted)
        }
    }

    private static func value(of name: Name, in channel: PushChannel) -> String? {
        if name == .channelURI { return channel.handle }
        let elements = channel.platform.facts?.channelElements ?? []
        return elements.firstIndex(of: name.rawValue).flatMap { $0 < channel.parts.count ? channel.parts[$0] : nil }
    }

    /// Whether the compared names belong together and to one platform.
    private var isComplete: Bool {
        let names = Set(values.keys)
        if names.contains(.endpoint) { return names.isSubset(of: [.endpoint, .p256dh, .auth]) }
        if names.contains(.baiduUser) { return names == [.baiduUser, .baiduChannel] }
        return names.count == 1 && names.isDisjoint(with: [.baiduChannel, .p256dh, .auth])
    }

    private static let invalid = HubValueError(
        .deviceInvalidFilter,
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
