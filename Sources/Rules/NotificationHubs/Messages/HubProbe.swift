package import NewsflashHTTPTransport
package import NotificationHubsCore

/// A request that only tests whether a hub accepts requests. It has no visible content and a tag that no device has.
package struct HubProbe: Sendable, Equatable {
    /// A template message with one property that marks it as a probe.
    package let message: HubMessage
    /// An expression that matches no device.
    package let expression: TagExpression

    /// Creates a probe.
    ///
    /// - Parameter tag: A tag that no device may have.
    package init(tag: Tag = .probe) {
        message = .probe
        expression = TagExpression(tag)
    }
}

extension Tag {
    /// The tag of probes; no device may have it.
    package static let probe = Tag(unchecked: "newsflash-probe")
}

extension HubMessage {
    static let probe = HubMessage(checkedTemplate: Array(#"{"newsflash":"probe"}"#.utf8))
}

// Requests whose responses show the rights of a key. They change nothing and reach no device.
extension HubClient {
    /// A send without a body. The hub refuses it after checking token, claim and hub: 400 means that all three are valid, 401
    /// that the key is wrong, 403 that it lacks the claim Send, 404 that the hub does not exist.
    ///
    /// - Parameter audience: A tag that no device has, so that nobody is reached even if a hub accepts an empty message.
    /// - Returns: The request.
    package func sendProbe(to audience: TagExpression) -> HTTPRequest {
        var request = request(.post, "messages", contentType: "application/json;charset=utf-8")
        request.headers.append("ServiceBusNotification-Format", "template")
        request.headers.append("ServiceBusNotification-Tags", audience.description)
        return request
    }

    /// A request for an installation that does not exist: 404 means that the key has the claim Listen.
    package func listenProbe() -> HTTPRequest {
        request(.get, "installations/newsflash-check")
    }

    /// A request for the hub's description: 200 means that the key has the claim Manage.
    package func manageProbe() -> HTTPRequest {
        hubRequest(.get)
    }
}
