package import Timestamps

/// What is kept of a namespace beside the devices of its hubs.
package struct KeptNamespace: Sendable, Equatable {
    /// The policies of the namespace itself; empty where none were kept.
    package var rules: [AccessRule] = []
    /// Its hubs, in the order in which they were made.
    package var hubs: [KeptHub] = []
}

/// What is kept of a hub beside its devices.
package struct KeptHub: Sendable, Equatable {
    /// As its creator spelled it.
    package var name: String
    /// When it was made.
    package var created: Timestamp
    /// Its own policies, beside those of the namespace.
    package var rules: [AccessRule]
    /// How long registrations live, as an ISO 8601 duration.
    package var registrationTimeToLive: String

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - name: As its creator spelled it.
    ///   - created: When it was made.
    ///   - rules: Its own policies.
    ///   - registrationTimeToLive: An ISO 8601 duration.
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
    /// What is to be kept of it.
    var kept: KeptHub {
        KeptHub(name: name, created: created, rules: rules, registrationTimeToLive: timeToLive.text)
    }
}
