public import NotificationHubsCore

/// A request that asks only whether a hub takes requests: nothing to show, for a tag that no device has.
public struct HubProbe: Sendable, Equatable {
    /// A template message with one property that says what it is.
    public let message: HubMessage
    /// Nobody.
    public let expression: TagExpression

    /// Makes a probe.
    ///
    /// - Parameter tag: A tag that no device may ever have.
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
