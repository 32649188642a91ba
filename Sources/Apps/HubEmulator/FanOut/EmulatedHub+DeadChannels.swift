import NotificationHubs

/// What follows when a push service says that a handle is no more.
extension EmulatedHub {
    /// Cleans up after handles that a push service refused for good: their registrations go, and an installation with such
    /// a handle says so until it is written with another.
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
    /// Removes all registrations of a handle, and marks installations whose channel it is.
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
