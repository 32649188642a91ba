import NotificationHubs
import StrictXML
package import Timestamps

/// The hub's description as an Atom entry, as returned to clients with the Manage claim.
package enum HubDescriptionEntry {
    /// Writes the document. As in the service, this is the only document with keys. Clients expect two keys for each rule, so
    /// the emulator's single key is written twice.
    ///
    /// - Parameters:
    ///   - hub: The address of the hub; its path is `/hub`.
    ///   - name: The hub's name.
    ///   - namespace: The name of the namespace, written as the author.
    ///   - rules: The access rules.
    ///   - timeToLive: The lifetime of registrations.
    ///   - created: The creation time of the hub.
    ///   - now: The current time.
    /// - Returns: The document; its media type is that of ``AtomEntry``.
    package static func document(
        of hub: AtomCollection,
        name: String,
        namespace: String,
        rules: [AccessRule],
        timeToLive: RegistrationTimeToLive = .never,
        created: Timestamp,
        now: Timestamp
    ) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 2048)
        writer.begin("entry", ("xmlns", Atom.namespace))
        writer.element("id", hub.address)
        writer.title(name)
        writer.element("published", now.atomDate)
        writer.element("updated", now.atomDate)
        writer.begin("author")
        writer.element("name", namespace)
        writer.end("author")
        writer.empty("link", ("rel", "self"), ("href", hub.address))
        writer.begin("content", ("type", "application/xml"))
        writer.begin(
            "NotificationHubDescription",
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        writer.element("RegistrationTtl", timeToLive.text)
        writer.begin("AuthorizationRules")
        for rule in rules { write(rule, created: created, to: &writer) }
        writer.end("AuthorizationRules")
        writer.end("NotificationHubDescription")
        writer.end("content")
        writer.end("entry")
        return writer.bytes
    }

    private static func write(_ rule: AccessRule, created: Timestamp, to writer: inout XMLWriter) {
        writer.begin("AuthorizationRule", ("i:type", "SharedAccessAuthorizationRule"))
        writer.element("ClaimType", "SharedAccessKey")
        writer.element("ClaimValue", "None")
        writer.begin("Rights")
        for claim in rule.claims.map(\.rawValue).sorted() { writer.element("AccessRights", claim) }
        writer.end("Rights")
        writer.element("CreatedTime", created.dateInTicks)
        writer.element("ModifiedTime", created.dateInTicks)
        writer.element("KeyName", rule.name)
        writer.element("PrimaryKey", rule.key.secretText)
        writer.element("SecondaryKey", rule.key.secretText)
        writer.end("AuthorizationRule")
    }
}
