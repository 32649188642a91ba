import NewsflashStrictXML
public import NotificationHubsCore

/// The settings of a hub: the lifetime of its registrations and the credentials of the push services.
///
/// ```swift
/// var description = HubDescription()
/// description.registrationLifetime = "P90D"
/// try await hub.createHub(description)
/// ```
///
/// A description that was read contains all settings of the hub, also those that this version does not know, and writes them
/// back.
public struct HubDescription: Sendable, Equatable {
    /// The hub's name; empty in a description that was not read.
    public let name: String
    /// The lifetime of a registration after its last write, as an ISO 8601 duration of at least a day, for example `P90D`;
    /// `nil` for the service's default.
    public var registrationLifetime: String? {
        get { member("RegistrationTtl")?.text }
        set { set("RegistrationTtl", to: newValue.map { [.text($0)] }) }
    }
    private var members: [XMLElement]

    /// Creates the description of a hub without credentials.
    public init() {
        name = ""
        members = []
    }

    /// Returns the credential of a push service.
    ///
    /// - Parameter platform: The platform of the push service.
    /// - Returns: Its properties; contains secrets: do not log them. `nil` if the hub has none.
    public func credential(for platform: PushPlatform) -> [NamedValue]? {
        guard let properties = Self.element(of: platform).flatMap(member)?.first("Properties") else { return nil }
        return properties.elements.map { NamedValue($0.first("Name")?.text ?? "", $0.first("Value")?.text ?? "") }
    }

    /// Sets or removes the credential of a push service.
    ///
    /// ```swift
    /// var description = HubDescription()
    /// description.setCredential(
    ///     [NamedValue("ClientEmail", email), NamedValue("PrivateKey", key), NamedValue("ProjectId", "news")],
    ///     for: .fcmv1
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - properties: The properties, in the names of the service's REST interface
    ///     (https://learn.microsoft.com/rest/api/notificationhubs/create-notification-hub); `nil` removes the credential.
    ///   - platform: The platform of the push service. An unknown one is ignored.
    public mutating func setCredential(_ properties: [NamedValue]?, for platform: PushPlatform) {
        guard let name = Self.element(of: platform) else { return }
        let list = properties?.map { property in
            XMLElement(
                "Property",
                children: [("Name", property.name), ("Value", property.value)].map { name, text in
                    .element(XMLElement(name, children: [.text(text)]))
                }
            )
        }
        set(name, to: list.map { [.element(XMLElement("Properties", children: $0.map { .element($0) }))] })
    }

    private static func element(of platform: PushPlatform) -> String? {
        platform.facts.map { (platform == .apns ? "Apns" : platform == .wns ? "Wns" : $0.elementPrefix) + "Credential" }
    }

    private func member(_ name: String) -> XMLElement? { members.first { $0.localName == name } }

    private mutating func set(_ name: String, to children: [XMLNode]?) {
        let index = members.firstIndex { $0.localName == name }
        switch (index, children) {
        case (let index?, let children?): members[index] = XMLElement(name, children: children)
        case (let index?, nil): members.remove(at: index)
        // Credentials precede the other members in the service's documents.
        case (nil, let children?):
            members.insert(XMLElement(name, children: children), at: name.hasSuffix("Credential") ? 0 : members.count)
        case (nil, nil): break
        }
    }
}

extension HubDescription {
    private static let element = "NotificationHubDescription"

    /// Decodes an Atom entry with a description; `nil` if it is another document.
    init?(entry: XMLElement) {
        guard let description = entry.first("content")?.first(Self.element) else { return nil }
        name = entry.first("title")?.text ?? ""
        members = description.elements
    }

    /// The description as a request body.
    var body: [UInt8] { HubEntry.body(Self.element, members) }
}

/// Atom entries of requests.
enum HubEntry {
    /// Encodes an entry.
    ///
    /// - Parameters:
    ///   - name: The name of the element in the content.
    ///   - members: The members of the element.
    /// - Returns: The document.
    static func body(_ name: String, _ members: [XMLElement]) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 1024)
        writer.begin("entry", ("xmlns", RegistrationXML.atomNamespace))
        writer.begin("content", ("type", "application/xml"))
        writer.begin(
            name,
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        for member in members { writer.element(member) }
        writer.end(name)
        writer.end("content")
        writer.end("entry")
        return writer.bytes
    }
}
