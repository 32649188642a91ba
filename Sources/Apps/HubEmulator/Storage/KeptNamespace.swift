package import Timestamps

/// The stored data of a namespace, except the devices of its hubs.
package struct KeptNamespace: Sendable, Equatable {
    /// The access rules of the namespace; empty if none were stored.
    package var rules: [AccessRule] = []
    /// The hubs, in the order of their creation.
    package var hubs: [KeptHub] = []
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

    /// Creates the data of a hub.
    ///
    /// - Parameters:
    ///   - name: The name as its creator spelled it.
    ///   - created: The time of its creation.
    ///   - rules: The hub's own access rules.
    ///   - registrationTimeToLive: The lifetime of registrations, as an ISO 8601 duration.
    package init(
        name: String,
        created: Timestamp,
        rules: [AccessRule],
        registrationTimeToLive: String
    ) {
        self.name = name
        self.created = created
        self.rules = rules
        self.registrationTimeToLive = registrationTimeToLive
    }
}

extension HostedHub {
    /// The data to store.
    var kept: KeptHub {
        KeptHub(name: name, created: created, rules: rules, registrationTimeToLive: timeToLive.text)
    }
}
