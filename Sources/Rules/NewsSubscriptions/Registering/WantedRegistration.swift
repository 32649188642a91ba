import NotificationHubsCore

/// The wanted registration: the channel to the device, its tags and its template.
struct WantedRegistration: Sendable, Equatable {
    /// Checked, and spelled as in the hub.
    let description: RegistrationDescription

    /// Creates a wanted registration.
    ///
    /// - Parameters:
    ///   - channel: The channel to the device.
    ///   - choice: The subscriber's choice.
    ///   - template: The template of notifications; `nil` if the back end sends each platform's own.
    /// - Throws: ``SubscriptionError`` for a channel, template or number of tags that the hub does not accept.
    init(channel: PushChannel, choice: NewsChoice, template: TemplateDescription?) throws(SubscriptionError) {
        do throws(DeviceError) {
            description = try RegistrationDescription(channel: channel, tags: choice.tags, template: template).checked()
        } catch {
            throw SubscriptionError(.invalidValue, "the hub would not accept this device: \(error.message)")
        }
    }

    /// Identifies the content; the device token cannot be derived from it.
    var digest: String {
        var parts = [description.channel.platform.rawValue, description.channel.handle]
        if case .browser(_, let p256dh, let auth) = description.channel { parts += [p256dh, auth] }
        parts += ["tags"] + description.tags.map(\.description)
        if let template = description.template {
            parts += ["template", template.name ?? "", template.body, template.expiry ?? "", template.priority ?? ""]
            parts += template.headers.flatMap { [$0.name, $0.value] }
        }
        return RegistrationPlace.digest(of: parts)
    }
}
