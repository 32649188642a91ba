package import NewsflashTimestamps
package import NotificationHubs

/// The stored data of a namespace, except the devices of its hubs.
package struct KeptNamespace: Sendable, Equatable {
    /// The access rules of the namespace; empty if none were stored.
    package var rules: [AccessRule] = []
    /// The hubs, in the order of their creation.
    package var hubs: [KeptHub] = []
    /// The scheduled sends.
    package var sends: [SendRecord] = []
}

/// The stored data of a hub, except its devices.
package struct KeptHub: Sendable, Equatable {
    /// The name as its creator spelled it.
    package var name: String
    /// The time of its creation.
    package var created: Timestamp
    /// The hub's own access rules, in addition to those of the namespace.
    package var rules: [AccessRule]
    /// The lifetime of registrations, as an ISO 8601 duration.
    package var registrationTimeToLive: String
    /// The credentials of push services as their elements of the hub's description, with secrets; `nil` for none.
    package var credentials: String?

    /// Creates the data of a hub.
    ///
    /// - Parameters:
    ///   - name: The name as its creator spelled it.
    ///   - created: The time of its creation.
    ///   - rules: The hub's own access rules.
    ///   - registrationTimeToLive: The lifetime of registrations, as an ISO 8601 duration.
    ///   - credentials: The credentials of push services, as XML.
    package init(
        name: String,
        created: Timestamp,
        rules: [AccessRule],
        registrationTimeToLive: String,
        credentials: String? = nil
    ) {
        self.name = name
        self.created = created
        self.rules = rules
        self.registrationTimeToLive = registrationTimeToLive
        self.credentials = credentials
    }
}

extension HostedHub {
    /// The data to store.
    var kept: KeptHub {
        KeptHub(
            name: name,
            created: created,
            rules: rules,
            registrationTimeToLive: timeToLive.text,
            credentials: credentials
        )
    }
}

/// A change to a namespace or to the devices of its hubs, as given to storage.
///
/// Changes to devices compare hub names as written, so use one spelling for each hub.
package enum DeviceChange: Sendable, Equatable {
    /// A registration was created or changed; `installationID` is the installation that it belongs to, if any.
    case put(Registration, installationID: String?, hub: String)
    /// A registration was removed. Does nothing if it did not exist.
    case remove(registrationID: String, hub: String)
    /// An installation was created or changed. Its registrations are separate changes.
    case putInstallation(Installation, hub: String)
    /// An installation was removed. Does nothing if it did not exist. Its registrations stay.
    case removeInstallation(id: String, hub: String)
    /// All registrations and installations of a hub were removed.
    case removeAll(hub: String)
    /// A hub was created or changed; its devices are separate changes.
    case putHub(KeptHub)
    /// A hub was removed. Does nothing if it did not exist. Its devices stay.
    case removeHub(name: String)
    /// The access rules of the namespace were replaced.
    case putRules([AccessRule])
    /// A send was scheduled.
    case putSend(SendRecord)
    /// A scheduled send was sent or cancelled.
    case removeSend(notificationID: String)
}

/// A stored registration or installation, as read at the start.
package enum StoredDevice: Sendable, Hashable {
    /// A registration, with the installation that it belongs to, if any.
    case registration(Registration, installationID: String?, hub: String)
    /// An installation.
    case installation(Installation, hub: String)
}
