public import XMLText

/// Registrations in the XML of the hub's REST interface: a description inside an Atom entry.
///
/// Elements may come in any order, as SDKs differ, and are always written in the service's own order (data contracts of
/// https://github.com/Azure/azure-notificationhubs-dotnet and recorded answers). The description is an element of its
/// platform, `<AppleTemplateRegistrationDescription>`, or `<RegistrationDescription i:type="…">`.
public enum RegistrationXML {
    /// What a registration is written for; the service spells instants differently.
    public enum Purpose: Sendable {
        /// The answer to a write: `9999-12-31T23:59:59.999`.
        case answerToWrite
        /// The answer to a read, or a list: `9999-12-31T23:59:59.999Z`.
        case answerToRead
    }

    package static let atomNamespace = "http://www.w3.org/2005/Atom"
    package static let serviceNamespace = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    package static let instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"

    /// Writes a registration as an answer has it, from its description's element on.
    ///
    /// - Parameters:
    ///   - registration: What the hub keeps.
    ///   - writer: Where to.
    ///   - purpose: What it is written for.
    public static func write(_ registration: Registration, to writer: inout XMLWriter, for purpose: Purpose) {
        RegistrationWriter(description: registration.description).write(
            to: &writer,
            identity: .init(registration, purpose: purpose)
        )
    }

    /// The body of a request that registers a device, for clients.
    ///
    /// - Parameter description: What the device registers.
    /// - Returns: A whole document of one Atom entry.
    /// - Throws: ``DeviceError`` for what the hub would refuse.
    public static func request(_ description: RegistrationDescription) throws(DeviceError) -> [UInt8] {
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
    /// The description as the hub keeps it, where the hub takes it. Templates' expressions are not looked at.
    ///
    /// - Returns: The same description with its channel spelled as the hub keeps it.
    /// - Throws: ``DeviceError`` for the first thing that the hub refuses.
    public func checked() throws(DeviceError) -> RegistrationDescription {
        var description = self
        description.channel = try channel.checked(at: channel.platform.handleElement)
        try TagList.check(tags, at: "Tags")
        try template?.checkName(at: "TemplateName")
        return description
    }
}

extension TemplateDescription {
    func checkName(at path: String) throws(DeviceError) {
        guard name?.utf16.count ?? 0 <= Self.maximumNameLength else {
            throw DeviceError(
                .invalidTemplate,
                "The template name exceeds the '\(Self.maximumNameLength)' character limit.",
                at: path
            )
        }
    }
}
