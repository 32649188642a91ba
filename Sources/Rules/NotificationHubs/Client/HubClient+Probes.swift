package import HTTPTransport
package import NotificationHubsCore

// Requests whose answers tell what a key may do. None of them can change anything, or reach a device.
extension HubClient {
    /// A send without a body, which the hub refuses after it has looked at token, claim and hub: 400 says that all three are
    /// right, 401 that the key is wrong, 403 that it lacks Send, 404 that there is no such hub.
    ///
    /// - Parameter audience: A tag that no device has: should a hub ever take an empty message, it reaches nobody.
    /// - Returns: Ready for a transport.
    package func sendProbe(to audience: TagExpression) -> HTTPRequest {
        var request = request(.post, "messages", contentType: "application/json;charset=utf-8")
        request.headers.append("ServiceBusNotification-Format", "template")
        request.headers.append("ServiceBusNotification-Tags", audience.description)
        return request
    }

    /// A question for a device that is not there: 404 says that the key may Listen.
    package func listenProbe() -> HTTPRequest {
        request(.get, "installations/newsflash-check")
    }

    /// A question for the hub's own description: 200 says that the key may Manage.
    package func manageProbe() -> HTTPRequest {
        var request = request(.get, "")
        request.url = "\(hubURL)?api-version=\(configuration.apiVersion)"
        return request
    }
}
