public import HTTPTransport
public import Timestamps

/// How urgent Apple shall take a notification: the value of `apns-priority`.
public enum APNsPriority: Int, Sendable, CaseIterable {
    /// At once.
    case immediate = 10
    /// With regard to the battery; background pushes must have it.
    case considerate = 5
    /// Never wakes the device.
    case low = 1
}

extension HTTPHeaders {
    /// The most bytes of `apns-collapse-id`.
    public static let maximumCollapseIDBytes = 64

    /// Headers for Apple's service, for native and template sends. The hub passes them on with token (p8) credentials only.
    ///
    /// - Parameters:
    ///   - pushType: Such as `alert` or `background`.
    ///   - priority: ``APNsPriority/considerate`` is needed for `background`.
    ///   - expiration: When Apple may stop trying; the epoch itself for "try once".
    ///   - collapseID: A later notification with the same id replaces an earlier one; at most 64 bytes.
    ///   - topic: The bundle's id, where the hub's own is not meant.
    /// - Returns: Only those that were given.
    /// - Throws: ``HubMessageError`` for a collapse id beyond its limit.
    public static func apns(
        pushType: String? = nil,
        priority: APNsPriority? = nil,
        expiration: Timestamp? = nil,
        collapseID: String? = nil,
        topic: String? = nil
    ) throws(HubMessageError) -> HTTPHeaders {
        if let collapseID, !(1...maximumCollapseIDBytes).contains(collapseID.utf8.count) {
            throw HubMessageError(.invalidHeader, "apns-collapse-id has 1 to \(maximumCollapseIDBytes) bytes")
        }
        var headers: HTTPHeaders = []
        if let pushType { headers.append("apns-push-type", pushType) }
        if let priority { headers.append("apns-priority", String(priority.rawValue)) }
        if let expiration { headers.append("apns-expiration", String(Swift.max(0, expiration.seconds))) }
        if let collapseID { headers.append("apns-collapse-id", collapseID) }
        if let topic { headers.append("apns-topic", topic) }
        return headers
    }

    /// Headers for Windows.
    ///
    /// - Parameters:
    ///   - type: The kind of notification; nil for a template send, whose templates say it.
    ///   - timeToLive: How long the service may keep it; whole seconds.
    ///   - tag: Names the toast within its group; a later one of the same names replaces it. Short and alphanumeric.
    ///   - group: Names the group.
    /// - Returns: Only those that were given.
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
