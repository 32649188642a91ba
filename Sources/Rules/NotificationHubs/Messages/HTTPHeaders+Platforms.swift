public import NewsflashHTTPTransport
public import NewsflashTimestamps
import NotificationHubsCore

/// The urgency of a notification for Apple: the value of `apns-priority`.
public enum APNsPriority: Int, Sendable, CaseIterable {
    /// Deliver at once.
    case immediate = 10
    /// Deliver with regard to the device's power; required for background pushes.
    case considerate = 5
    /// Never wake the device.
    case low = 1
}

extension HTTPHeaders {
    /// The maximum size of `apns-collapse-id` in bytes.
    public static let maximumCollapseIDBytes = 64

    /// Creates headers for Apple's service, for native and template sends. The hub forwards them only with token (p8)
    /// credentials.
    ///
    /// - Parameters:
    ///   - pushType: The push type, for example `alert` or `background`.
    ///   - priority: The priority; `background` requires ``APNsPriority/considerate``.
    ///   - expiration: When Apple may stop trying; the epoch for a single attempt.
    ///   - collapseID: A later notification with the same ID replaces an earlier one; at most 64 bytes.
    ///   - topic: The bundle ID, if it differs from the hub's.
    /// - Returns: Headers for the given values.
    /// - Throws: ``HubMessageError`` if the collapse ID is empty or too long.
    public static func apns(
        pushType: String? = nil,
        priority: APNsPriority? = nil,
        expiration: Timestamp? = nil,
        collapseID: String? = nil,
        topic: String? = nil
    ) throws(HubMessageError) -> HTTPHeaders {
        if let collapseID, !(1...maximumCollapseIDBytes).contains(collapseID.utf8.count) {
            throw HubMessageError(.invalidHeader, "apns-collapse-id must have 1 to \(maximumCollapseIDBytes) bytes")
        }
        var headers: HTTPHeaders = []
        if let pushType { headers.append("apns-push-type", pushType) }
        if let priority { headers.append("apns-priority", String(priority.rawValue)) }
        if let expiration { headers.append("apns-expiration", String(Swift.max(0, expiration.seconds))) }
        if let collapseID { headers.append("apns-collapse-id", collapseID) }
        if let topic { headers.append("apns-topic", topic) }
        return headers
    }

    /// Creates headers for Windows.
    ///
    /// - Parameters:
    ///   - type: The kind of notification; `nil` for a template send, because the templates contain it.
    ///   - timeToLive: How long the service may keep the notification, in whole seconds.
    ///   - tag: The toast's identifier within its group, short and alphanumeric; a later toast with the same tag and group
    ///     replaces it.
    ///   - group: The identifier of the group.
    /// - Returns: Headers for the given values.
    public static func wns(
        type: WNSType? = nil,
        timeToLive: Duration? = nil,
        tag: String? = nil,
        group: String? = nil
    ) -> HTTPHeaders {
        var headers: HTTPHeaders = []
        if let type { headers.append("X-WNS-Type", type.rawValue) }
        if let timeToLive { headers.append("X-WNS-TTL", String(Swift.max(0, timeToLive.components.seconds))) }
        if let tag { headers.append("X-WNS-Tag", tag) }
        if let group { headers.append("X-WNS-Group", group) }
        return headers
    }
}

/// The kinds of Windows notifications: the value of `X-WNS-Type`.
public enum WNSType: String, Sendable, CaseIterable {
    /// A banner.
    case toast = "wns/toast"
    /// The tile of the app.
    case tile = "wns/tile"
    /// The number on the tile.
    case badge = "wns/badge"
    /// Bytes for the app.
    case raw = "wns/raw"

    /// Derives the kind from a payload's root element, as the SDKs do.
    ///
    /// - Parameter body: XML, optionally with a declaration and comments before the root. Anything else is ``raw``.
    public init(ofBody body: [UInt8]) {
        switch Self.rootElement(of: body[...])?.lowercased() {
        case "toast": self = .toast
        case "tile": self = .tile
        case "badge": self = .badge
        default: self = .raw
        }
    }

    private static func rootElement(of body: ArraySlice<UInt8>) -> String? {
        var rest = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        while true {
            rest = rest.drop { $0.isWhiteSpace }
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<!--".utf8) {
                guard let end = end(of: "-->", in: rest) else { return nil }
                rest = rest[end...]
            } else if rest.starts(with: "<?".utf8) {
                guard let end = end(of: "?>", in: rest) else { return nil }
                rest = rest[end...]
            } else {
                let name = rest.dropFirst().prefix {
                    !$0.isWhiteSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
                }
                return String(decoding: name, as: UTF8.self)
            }
        }
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
    }
}
