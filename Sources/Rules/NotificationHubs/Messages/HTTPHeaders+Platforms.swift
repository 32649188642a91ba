public import NewsflashHTTPTransport
public import NewsflashTimestamps
import NotificationHubsCore

extension HTTPHeaders {
    /// The maximum size of `apns-collapse-id` in bytes.
    public static let maximumCollapseIDBytes = 64

    /// Creates headers for Apple's service, for native and template sends. The hub forwards them only with token (p8)
    /// credentials.
    ///
    /// - Parameters:
    ///   - pushType: The push type, for example `alert` or `background`.
    ///   - priority: 10: deliver at once; 5: with regard to the device's power, required for the push type `background`; 1:
    ///     never wake the device.
    ///   - expiration: When Apple may stop trying; the epoch for a single attempt.
    ///   - collapseID: A later notification with the same ID replaces an earlier one; at most 64 bytes.
    ///   - topic: The bundle ID, if it differs from the hub's.
    /// - Returns: Headers for the given values.
    /// - Throws: ``HubValueError`` if the collapse ID is empty or too long, or if the priority is not 10, 5 or 1.
    public static func apns(
        pushType: String? = nil,
        priority: Int? = nil,
        expiration: Timestamp? = nil,
        collapseID: String? = nil,
        topic: String? = nil
    ) throws(HubValueError) -> HTTPHeaders {
        if let collapseID, !(1...maximumCollapseIDBytes).contains(collapseID.utf8.count) {
            throw HubValueError(
                .messageInvalidHeader,
                "apns-collapse-id must have 1 to \(maximumCollapseIDBytes) bytes"
            )
        }
        guard priority.map([10, 5, 1].contains) ?? true else {
            throw HubValueError(.messageInvalidHeader, "apns-priority must be 10, 5 or 1")
        }
        var headers: HTTPHeaders = []
        if let pushType { headers.append("apns-push-type", pushType) }
        if let priority { headers.append("apns-priority", String(priority)) }
        if let expiration { headers.append("apns-expiration", String(Swift.max(0, expiration.seconds))) }
        if let collapseID { headers.append("apns-collapse-id", collapseID) }
        if let topic { headers.append("apns-topic", topic) }
        return headers
    }

    /// Creates headers for Windows.
    ///
    /// - Parameters:
    ///   - type: The kind of notification: `wns/toast`, `wns/tile`, `wns/badge` or `wns/raw`; `nil` for a template send,
    ///     because the templates contain it.
    ///   - timeToLive: How long the service may keep the notification, in whole seconds.
    ///   - tag: The toast's identifier within its group, short and alphanumeric; a later toast with the same tag and group
    ///     replaces it.
    ///   - group: The identifier of the group.
    /// - Returns: Headers for the given values.
    public static func wns(
        type: String? = nil,
        timeToLive: Duration? = nil,
        tag: String? = nil,
        group: String? = nil
    ) -> HTTPHeaders {
        var headers: HTTPHeaders = []
        if let type { headers.append("X-WNS-Type", type) }
        if let timeToLive { headers.append("X-WNS-TTL", String(Swift.max(0, timeToLive.components.seconds))) }
        if let tag { headers.append("X-WNS-Tag", tag) }
        if let group { headers.append("X-WNS-Group", group) }
        return headers
    }
}

/// The kinds of Windows notifications: the value of `X-WNS-Type`.
package enum WNSType: String, Sendable, CaseIterable {
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
    package init(ofBody body: [UInt8]) {
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
