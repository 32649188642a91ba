import NotificationHubs

/// The handling of platforms whose push service does not exist any more.
package enum RetiredPlatformPolicy: String, Sendable, CaseIterable {
    /// Accept registrations, installations and sends with a warning, as the service does.
    case warn
    /// Refuse them with 400.
    case refuse
}

extension PushPlatform {
    /// The warning about a retired platform; `nil` for any other.
    ///
    /// Sources: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-gcm-to-fcm for Firebase's old protocol,
    /// https://learn.microsoft.com/lifecycle/announcements/windows-phone-8-1-end-of-support for Windows Phone.
    var retirement: String? {
        switch self {
        case .gcm:
            "the platform gcm is retired: Google stopped the protocol in July 2024, so nothing arrives; use fcmv1"
        case .mpns: "the platform mpns is retired: Microsoft stopped Windows Phone, so nothing arrives; use wns"
        default: isRetired ? "the platform \(rawValue) is retired: nothing arrives" : nil
        }
    }

    /// Warnings about a notification that the platform accepts, but probably does not deliver as intended.
    func warnings(headers: [NamedValue]) -> [String] {
        var warnings = [retirement].compactMap(\.self)
        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value.lowercased() }
        // https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
        if self == .apns, header("apns-push-type") == "background", header("apns-priority") == "10" {
            warnings.append("apns-push-type background needs apns-priority 5: Apple treats 10 as an error")
        }
        return warnings
    }
}

extension HubWork {
    /// The platforms that the request writes devices of, or sends to.
    private var platforms: [PushPlatform] {
        switch self {
        case .send(let send), .schedule(let send, _): [send.format.platform].compactMap(\.self)
        case .registration(.create(let prepared)), .registration(.put(_, let prepared, _)):
            [prepared.description.channel.platform]
        case .installation(.put(let prepared)): Array(Set(prepared.installation.channels.map(\.platform)))
        default: []
        }
    }

    /// The warnings about the request, which the service accepts.
    var warnings: [String] { platforms.compactMap(\.retirement).sorted() }

    /// Refuses a request about a retired platform.
    func checkPlatforms(_ policy: RetiredPlatformPolicy) throws(HubFailure) {
        guard policy == .refuse, let platform = platforms.first(where: \.isRetired) else { return }
        throw HubFailure(400, "The platform '\(platform.rawValue)' is not supported.", reason: platform.retirement)
    }
}

extension Installation {
    /// The channels of the device and its secondary tiles.
    var channels: [PushChannel] { [channel] + secondaryTiles.map(\.channel) }
}
