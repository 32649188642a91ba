import NotificationHubs

/// Sends messages from user to user.
struct NotificationController: Sendable {
    let hub: GatewayHub
    let mayNotifyOthers: @Sendable (GatewayUser) -> Bool
    /// Whether a user exists, if this server can determine it.
    let isUser: @Sendable (GatewayUser) -> Bool

    /// Sends a message to all devices of a user on one platform.
    ///
    /// - Parameters:
    ///   - platform: The platform of the devices.
    ///   - recipient: The user to notify.
    ///   - isTest: Whether the hub sends at once and returns the outcomes. They contain handles, so a test is allowed only for
    ///     the
    ///     sender's own devices.
    ///   - body: A JSON string.
    ///   - sender: The signed-in user.
    /// - Returns: The hub's outcome as XML for a test, otherwise `nil`.
    /// - Throws: ``GatewayRefusal``.
    func send(
        on platform: NotificationPlatform,
        to recipient: GatewayUser,
        isTest: Bool,
        _ body: [UInt8],
        from sender: GatewayUser
    ) async throws(GatewayRefusal) -> [UInt8]? {
        guard recipient == sender || mayNotifyOthers(sender) else {
            throw .forbidden("not_a_sender", "This user may not notify other users.")
        }
        guard !isTest || recipient == sender else {
            throw .forbidden("foreign_test", "A test returns handles, so it is allowed only for your own devices.")
        }
        let message = try PersonalMessage(body: body, from: sender).message(for: platform)
        // Devices of a former user may still have the tag.
        guard recipient == sender || isUser(recipient) else {
            throw GatewayRefusal(404, "no_such_user", "No user has this name.")
        }
        let audience = HubAudience.tags(TagExpression(recipient.tag))
        guard isTest else {
            _ = try await hub.send { hub throws(HubError) in try await hub.send(message, to: audience) }
            return nil
        }
        return try await hub.send { hub throws(HubError) in try await hub.test(message, to: audience).document }
    }

    /// The results of a message on each platform.
    struct Report: Sendable, Equatable {
        /// The platforms for which the hub accepted the message.
        var accepted: [NotificationPlatform] = []
        /// The failures in the order of the platforms; with `send_uncertain` the hub may have accepted the message.
        var failed: [(platform: NotificationPlatform, refusal: GatewayRefusal)] = []

        static func == (left: Report, right: Report) -> Bool {
            left.accepted == right.accepted && left.failed.elementsEqual(right.failed, by: ==)
        }
    }

    /// Sends a message to all devices of its sender, on all platforms.
    ///
    /// - Parameters:
    ///   - body: A JSON string; empty for a greeting, as sent by the app of the first tutorial.
    ///   - sender: The signed-in user.
    /// - Returns: The platforms for which the hub accepted the message, at least one, and the failures.
    /// - Throws: ``GatewayRefusal`` if the hub accepted it for no platform: the refusal with `send_uncertain` if there is one,
    ///   otherwise the first.
    func sendToSelf(_ body: [UInt8], from sender: GatewayUser) async throws(GatewayRefusal) -> Report {
        let words = body.isEmpty ? PersonalMessage(greetingFrom: sender) : try PersonalMessage(body: body, from: sender)
        let audience = HubAudience.tags(TagExpression(sender.tag))
        var report = Report()
        for platform in NotificationPlatform.allCases {
            do throws(GatewayRefusal) {
                let message = try words.message(for: platform)
                _ = try await hub.send { hub throws(HubError) in try await hub.send(message, to: audience) }
                report.accepted.append(platform)
            } catch {
                report.failed.append((platform, error))
            }
        }
        let refusals = report.failed.map(\.refusal)
        if report.accepted.isEmpty,
            let refusal = refusals.first(where: { $0.label == "send_uncertain" }) ?? refusals.first
        {
            throw refusal
        }
        return report
    }
}
