import HTTPTransport
public import NotificationHubsCore
import StrictJSON

extension NewsGateway {
    /// Sends a message to another user's devices. They show "From", the sender's name, a colon and the message.
    ///
    /// ```swift
    /// try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The recipient.
    ///   - message: The text.
    ///   - platform: The platform of the user's devices to notify: Apple's, Firebase's, or Windows'.
    /// - Returns: The response of the back end.
    /// - Throws: ``SubscriptionError``. Nothing is retried automatically, because the message could arrive twice.
    @discardableResult
    public func notify(
        user: String,
        message: String,
        on platform: PushPlatform
    ) async throws(SubscriptionError) -> NotifyAnswer {
        guard [.apns, .fcmv1, .gcm, .wns].contains(platform) else {
            throw SubscriptionError(.noTemplate, "the back end notifies users on apns, fcmv1, gcm and wns only")
        }
        guard UserName.isValid(user) else {
            throw SubscriptionError(.invalidValue, "a user's name must have \(UserName.rule)")
        }
        let query = "?pns=\(platform.rawValue)&to_tag=\(PercentEncoding.encode(user, uppercase: true))"
        return try await post("/api/notifications" + query, message)
    }

    /// Sends a greeting to all devices of the signed-in user. This older form of the tutorial is useful to check that pushes
    /// arrive.
    ///
    /// ```swift
    /// try await gateway.notifyMyself()
    /// ```
    ///
    /// - Returns: The response of the back end.
    /// - Throws: ``SubscriptionError``. Nothing is retried automatically.
    @discardableResult
    public func notifyMyself() async throws(SubscriptionError) -> NotifyAnswer {
        try await post("/api/notifications", nil)
    }

    private func post(_ path: String, _ message: String?) async throws(SubscriptionError) -> NotifyAnswer {
        var request = HTTPRequest(method: .post, url: url + path)
        if let message {
            var writer = JSONWriter()
            writer.value(message)
            request.headers.append("Content-Type", "application/json")
            request.body = writer.bytes
        }
        let response = try await send(request)
        guard (200...299).contains(response.status) else { throw error(for: response) }
        return NotifyAnswer(body: response.body)
    }
}

/// The response of the back end to a message that it has passed on.
///
/// ```swift
/// let answer = try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
/// if let outcome = answer.outcome { parser.parse(outcome) }
/// ```
public struct NotifyAnswer: Sendable, Equatable {
    /// The hub's outcome as an XML document, from back ends whose hub is configured for test sends.
    ///
    /// ```swift
    /// answer.outcome?.count           // nil if absent
    /// ```
    public let outcome: [UInt8]?

    init(body: [UInt8]) {
        let first = body.first { $0 > 0x20 }
        outcome = first == UInt8(ascii: "<") ? body : nil
    }
}
