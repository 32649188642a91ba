public import NotificationHubsCore

/// A request that only tests whether a hub accepts requests. It has no visible content and a tag that no device has.
public struct HubProbe: Sendable, Equatable {
    /// A template message with one property that marks it as a probe.
    public let message: HubMessage
    /// An expression that matches no device.
    public let expression: TagExpression

    /// Creates a probe.
    ///
    /// - Parameter tag: A tag that no device may have.
    public init(tag: Tag = .probe) {
        message = .probe
        expression = TagExpression(tag)
    }
}

extension Tag {
    /// The tag of probes; no device may have it.
    public static let probe = Tag(checked: "newsflash-probe")
}

extension HubMessage {
    static let probe = HubMessage(checkedTemplate: Array(#"{"newsflash":"probe"}"#.utf8))
}
