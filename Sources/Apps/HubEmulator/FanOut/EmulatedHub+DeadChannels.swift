import NotificationHubs

/// Handling of handles that a push service reports as invalid.
extension EmulatedHub {
    /// Removes the registrations of handles that a push service rejected permanently. An installation with such a handle is
    /// marked until it is written with another one.
    ///
    /// Source: https://learn.microsoft.com/azure/notification-hubs/notification-hubs-push-notification-faq
    mutating func dropDeadChannels(of targets: [FanOut.Target], hub: String) {
        var dropped: Set<String> = []
        for target in targets where target.delivery.outcome.isOfDeadChannel {
            let (platform, handle) = (target.delivery.platform, target.delivery.handle)
            guard dropped.insert("\(platform.rawValue) \(handle)").inserted else { continue }
            guard let left = hubs[hub]?.registry.drop(handle: handle, of: platform) else { continue }
            for name in left.removed { changes.append(.remove(registrationID: name.description, hub: hub)) }
            for installation in left.expired { changes.append(.putInstallation(installation, hub: hub)) }
        }
    }
}

extension DeviceRegistry {
    /// Removes all registrations of a handle, and marks the installations that use it.
    fileprivate mutating func drop(
        handle: String,
        of platform: PushPlatform
    ) -> (removed: [RegistrationName], expired: [Installation]) {
        var removed: [RegistrationName] = []
        var owners: [InstallationTable.Number] = []
        for slot in slots(ofHandle: handle) where self[slot]?.channel.platform == platform {
            guard let record = remove(slot: slot) else { continue }
            removed.append(record.name)
            if let owner = record.installation, !owners.contains(owner) { owners.append(owner) }
        }
        return (removed, owners.compactMap { installations.expire(channel: handle, of: $0) })
    }
}
