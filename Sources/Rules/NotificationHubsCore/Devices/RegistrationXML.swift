import NewsflashStrictJSON
import NewsflashTimestamps
package import NewsflashXMLText

/// Registrations in the XML of the hub's REST interface: a description inside an Atom entry.
///
/// Elements are accepted in any order, because SDKs differ, and always encoded in the service's order (data contracts of
/// https://github.com/Azure/azure-notificationhubs-dotnet and recorded responses). The description is an element of its
/// platform, `<AppleTemplateRegistrationDescription>`, or `<RegistrationDescription i:type="…">`.
package enum RegistrationXML {
    /// The purpose of an encoded registration; the format of timestamps depends on it.
    package enum Purpose: Sendable {
        /// The response to a write: `9999-12-31T23:59:59.999`.
        case answerToWrite
        /// The response to a read, or a list: `9999-12-31T23:59:59.999Z`.
        case answerToRead
    }

    package static let atomNamespace = "http://www.w3.org/2005/Atom"
    package static let serviceNamespace = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    package static let instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"

    /// Encodes a registration for a response, starting with the description's element.
    ///
    /// - Parameters:
    ///   - registration: The registration as stored by the hub.
    ///   - writer: The target.
    ///   - purpose: The purpose of the encoded registration.
    package static func write(_ registration: Registration, to writer: inout XMLWriter, for purpose: Purpose) {
        RegistrationWriter(description: registration.description).write(
            to: &writer,
            identity: .init(registration, purpose: purpose)
        )
    }

    /// Encodes a request body that registers a device.
    ///
    /// - Parameter description: The description.
    /// - Returns: A document with one Atom entry.
    /// - Throws: ``HubValueError`` if the hub would reject the description.
    package static func request(_ description: RegistrationDescription) throws(HubValueError) -> [UInt8] {
        let description = try description.checked()
        var writer = XMLWriter(reservingCapacity: 1024)
        writer.begin("entry", ("xmlns", atomNamespace))
        writer.begin("content", ("type", "application/xml"))
        RegistrationWriter(description: description).write(to: &writer, identity: nil)
        writer.end("content")
        writer.end("entry")
        return Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>".utf8) + writer.bytes
    }
}

extension RegistrationDescription {
    /// Checks the description and returns it as the hub stores it. Expressions of the template are not checked.
    ///
    /// - Returns: The same description with its channel in the hub's spelling.
    /// - Throws: ``HubValueError`` for the first fault.
    public func checked() throws(HubValueError) -> RegistrationDescription {
        var description = self
        description.channel = try channel.checked(at: channel.platform.facts?.channelElements.first ?? "")
        try TagList.check(tags, at: "Tags")
        try template?.checkName(at: "TemplateName")
        return description
    }
}

extension TemplateDescription {
    func checkName(at path: String) throws(HubValueError) {
        guard name?.utf16.count ?? 0 <= Self.maximumNameLength else {
            throw HubValueError(
                .deviceInvalidTemplate,
                "The template name exceeds the '\(Self.maximumNameLength)' character limit.",
                at: path
            )
        }
    }
}

/// A kind of registration, identified by its XML element.
package struct RegistrationKind: Equatable {
    /// The platform.
    package var platform: PushPlatform
    /// Whether it has a template, and so receives template messages.
    package var isTemplate: Bool

    init(platform: PushPlatform, isTemplate: Bool) {
        self.platform = platform
        self.isTemplate = isTemplate
    }

    /// Decodes an element's name. The platform may be one that this version does not know.
    ///
    /// - Parameter name: The name without prefix, case-sensitive.
    package init?(name: some StringProtocol) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        var prefix = String(name.dropLast(Self.suffix.count))
        isTemplate = prefix.hasSuffix(Self.template)
        if isTemplate { prefix.removeLast(Self.template.count) }
        guard !prefix.isEmpty else { return nil }
        platform =
            PlatformFacts.all.first { $0.elementPrefix == prefix }?.platform ?? PushPlatform(rawValue: prefix)
    }

    /// The name of the element; `nil` if the platform is not known.
    var name: String? {
        platform.facts.map { $0.elementPrefix + (isTemplate ? Self.template : "") + Self.suffix }
    }

    private static let template = "Template"
    private static let suffix = "RegistrationDescription"
}

/// Encodes the element of a registration in the order and format of the service's recorded responses.
struct RegistrationWriter {
    /// The members that only the hub sets.
    struct Identity {
        var id: String
        var etag: Int64
        var expiration: String

        init(_ registration: Registration, purpose: RegistrationXML.Purpose) {
            self.id = registration.id
            self.etag = registration.etag
            let never =
                registration.description.isOfInstallation ? ExpirationText.neverOfInstallation : ExpirationText.never
            var expiration = registration.expiration?.rfc3339 ?? never
            if purpose == .answerToWrite { expiration.removeLast() }
            self.expiration = expiration
        }
    }

    let description: RegistrationDescription

    /// Writes the element. The platform must be known.
    func write(to writer: inout XMLWriter, identity: Identity?) {
        let kind = RegistrationKind(platform: description.channel.platform, isTemplate: description.template != nil)
        guard let name = kind.name, let facts = kind.platform.facts else { return }
        writer.begin(
            name,
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        if let identity {
            writer.element("ETag", String(identity.etag))
            writer.element("ExpirationTime", identity.expiration)
            writer.element("RegistrationId", identity.id)
        }
        let tags = tags(isAnswer: identity != nil)
        if !tags.isEmpty { writer.element("Tags", tags) }
        if !description.pushVariables.isEmpty {
            var variables = JSONWriter()
            variables.object(description.pushVariables)
            writer.element("PushVariables", String(decoding: variables.bytes, as: UTF8.self))
        }
        for (element, part) in zip(facts.channelElements, description.channel.parts) { writer.element(element, part) }
        if let tile = description.secondaryTileName { writer.element("SecondaryTileName", tile) }
        if let template = description.template { write(template, facts, to: &writer) }
        writer.end(name)
    }

    /// The tags as the hub returns them: with the template's name if the registration belongs to an installation.
    private func tags(isAnswer: Bool) -> String {
        var tags = description.tags.map(\.description)
        if isAnswer, description.isOfInstallation, let name = description.template?.name, !tags.contains(name) {
            tags.append(name)
        }
        return tags.joined(separator: ",")
    }

    private func write(_ template: TemplateDescription, _ facts: PlatformFacts, to writer: inout XMLWriter) {
        writer.begin("BodyTemplate")
        writer.cdata(template.body)
        writer.end("BodyTemplate")
        if facts.platform == .apns {
            write(template.expiry, as: "Expiry", to: &writer)
            write(template.name, as: "TemplateName", to: &writer)
            if let priority = template.priority { writer.element("Priority", priority) }
            write(template.headers, as: "ApnsHeader", to: &writer)
        } else {
            if let name = facts.headerElement { write(template.headers, as: name, to: &writer) }
            write(template.name, as: "TemplateName", to: &writer)
        }
    }

    private func write(_ text: String?, as name: String, to writer: inout XMLWriter) {
        if let text { writer.element(name, text) } else { writer.empty(name, ("i:nil", "true")) }
    }

    private func write(_ headers: [NamedValue], as name: String, to writer: inout XMLWriter) {
        guard !headers.isEmpty else { return writer.empty(name + "s") }
        writer.begin(name + "s")
        for header in headers {
            writer.begin(name)
            writer.element("Header", header.name)
            writer.element("Value", header.value)
            writer.end(name)
        }
        writer.end(name + "s")
    }
}

extension RegistrationDescription {
    /// Whether the registration belongs to an installation: it has a tag `$InstallationId:{…}`.
    var isOfInstallation: Bool {
        tags.contains { $0.description.lowercased().hasPrefix("$installationid:") }
    }
}
