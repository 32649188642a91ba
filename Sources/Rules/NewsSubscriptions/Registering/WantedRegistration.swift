import NotificationHubsCore

/// A registration as it shall be: how the device is reached, its tags and its template.
struct WantedRegistration: Sendable, Equatable {
    /// Checked, and spelled as the hub keeps it.
    let description: RegistrationDescription

    /// Puts a registration together.
    ///
    /// - Parameters:
    ///   - channel: How the device is reached.
    ///   - choice: What the reader has chosen.
    ///   - template: How notifications are made; nothing where the back end sends each platform's own.
    /// - Throws: For a channel, template or number of tags that the hub does not take.
    init(channel: PushChannel, choice: NewsChoice, template: TemplateDescription?) throws(SubscriptionError) {
        do throws(DeviceError) {
            description = try RegistrationDescription(channel: channel, tags: choice.tags, template: template).checked()
        } catch {
            throw SubscriptionError(.invalidValue, "the hub would not accept this device: \(error.message)")
        }
    }

    /// Tells contents apart; the device token cannot be read off it.
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
