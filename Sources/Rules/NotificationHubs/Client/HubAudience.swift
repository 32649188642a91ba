public import NotificationHubsCore

/// The devices that a send addresses.
///
/// ```swift
/// let readers = HubAudience.tags(try TagExpression(parsing: "world && !sports"))
/// let phone = HubAudience.device(.apns(deviceToken: "00FC13ADFF785122"))
/// ```
public enum HubAudience: Sendable, Equatable {
    /// Every device of the hub that the format reaches. Nothing else is ever converted to a broadcast.
    case broadcast
    /// Devices whose tags match the expression.
    case tags(TagExpression)
    /// One device, registered or not, of the message's platform.
    case device(PushChannel)
    /// 1 to 1,000 devices of the message's platform by their handles, registered or not; not on the free tier.
    case devices([String])
}
