import NotificationHubs

/// Messages from user to user.
struct NotificationDesk: Sendable {
    let hub: HubDoor
    let mayNotifyOthers: @Sendable (GatewayUser) -> Bool

    /// Sends a message to all devices of a user on one platform.
    ///
    /// - Parameters:
    ///   - platform: Whose devices.
    ///   - recipient: Whose tag.
    ///   - isTest: Whether the hub shall try at once and tell what came of it. Its answer names handles, so it is for the
    ///     sender's own devices only.
    ///   - body: A JSON string.
    ///   - sender: Signed in.
    /// - Returns: The hub's outcome in XML for a test, else nothing.
    /// - Throws: ``GatewayRefusal``.
    func send(
        on platform: NotificationPlatform,
        to recipient: GatewayUser,
        isTest: Bool,
        _ body: [UInt8],
        from sender: GatewayUser
    ) async throws(GatewayRefusal) -> [UInt8]? {
        guard recipient == sender || mayNotifyOthers(sender) else {
            throw .forbidden("not_a_sender", "This user may notify nobody else.")
        }
        guard !isTest || recipient == sender else {
            throw .forbidden("foreign_test", "A test shows handles, so it goes to one's own devices only.")
        }
        let message = try message(PersonalMessage(body: body, from: sender), for: platform)
        let audience = HubAudience.tags(TagExpression(recipient.tag))
        guard isTest else {
            _ = try await hub.ask { hub throws(HubError) in try await hub.send(message, to: audience) }
            return nil
        }
        return try await hub.ask { hub throws(HubError) in try await hub.test(message, to: audience).document }
    }

    /// Sends a message to all devices of the user who sends it, on all platforms.
    ///
    /// - Parameters:
    ///   - body: A JSON string; empty for a greeting, as the first tutorial's app sends it.
    ///   - sender: Signed in.
    /// - Throws: ``GatewayRefusal`` of the first platform that the hub does not take it for; the others are tried all the
    ///   same.
    func sendToSelf(_ body: [UInt8], from sender: GatewayUser) async throws(GatewayRefusal) {
        let words = body.isEmpty ? PersonalMessage(greetingFrom: sender) : try PersonalMessage(body: body, from: sender)
        let audience = HubAudience.tags(TagExpression(sender.tag))
        var refusal: GatewayRefusal?
        for platform in NotificationPlatform.allCases {
            let message = try message(words, for: platform)
            do throws(GatewayRefusal) {
                _ = try await hub.ask { hub throws(HubError) in try await hub.send(message, to: audience) }
            } catch {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    private func message(
        _ words: PersonalMessage,
        for platform: NotificationPlatform
    ) throws(GatewayRefusal) -> HubMessage {
        do throws(HubMessageError) {
            return try words.message(for: platform)
        } catch {
            throw .malformed("message", "The message is none that the platform takes.", path: "")
        }
    }
}
