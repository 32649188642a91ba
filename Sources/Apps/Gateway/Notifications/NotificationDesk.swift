import NotificationHubs

/// Messages from user to user.
struct NotificationDesk: Sendable {
    let hub: HubDoor
    let mayNotifyOthers: @Sendable (GatewayUser) -> Bool
    /// Whether a user exists, as far as this server can know.
    let isUser: @Sendable (GatewayUser) -> Bool

    /// Sends a message to all devices of a user on one platform.
    ///
    /// - Parameters:
    ///   - platform: Whose devices.
    ///   - recipient: Whose tag.
    ///   - isTest: Whether the hub shall try at once and tell what came of it. Its answer names handles, so it is for the
    ///     sender's own devices only.
    ///   - body: A JSON string.
    ///   - sender: Signed in.
    /// - Returns: The hub's outcome in XML for a test, otherwise nothing.
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

    /// The result of a message on each platform.
    struct Report: Sendable, Equatable {
        /// The hub has it.
        var accepted: [NotificationPlatform] = []
        /// The hub does not have it, or, with `send_uncertain`, may have it; in the order of the platforms.
        var failed: [(platform: NotificationPlatform, refusal: GatewayRefusal)] = []

        static func == (left: Report, right: Report) -> Bool {
            left.accepted == right.accepted && left.failed.elementsEqual(right.failed, by: ==)
        }
    }

    /// Sends a message to all devices of the user who sends it, on all platforms.
    ///
    /// - Parameters:
    ///   - body: A JSON string; empty for a greeting, as the first tutorial's app sends it.
    ///   - sender: Signed in.
    /// - Returns: The platforms for which the hub accepted it, at least one, and the others.
    /// - Throws: ``GatewayRefusal`` if the hub has accepted it on no platform: of one on which it may have been sent, otherwise
    ///   of the first.
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
