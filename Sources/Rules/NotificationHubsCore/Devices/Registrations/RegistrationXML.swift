public import XMLText

/// Registrations in the XML of the hub's REST interface: a description inside an Atom entry.
///
/// Elements are accepted in any order, because SDKs differ, and always encoded in the service's order (data contracts of
/// https://github.com/Azure/azure-notificationhubs-dotnet and recorded responses). The description is an element of its
/// platform, `<AppleTemplateRegistrationDescription>`, or `<RegistrationDescription i:type="…">`.
public enum RegistrationXML {
    /// The purpose of an encoded registration; the format of timestamps depends on it.
    public enum Purpose: Sendable {
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
    public static func write(_ registration: Registration, to writer: inout XMLWriter, for purpose: Purpose) {
        RegistrationWriter(description: registration.description).write(
            to: &writer,
            identity: .init(registration, purpose: purpose)
        )
    }

    /// Encodes a request body that registers a device.
    ///
    /// - Parameter description: The description.
    /// - Returns: A document with one Atom entry.
    /// - Throws: ``DeviceError`` if the hub would reject the description.
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
    /// Checks the description and returns it as the hub stores it. Expressions of the template are not checked.
    ///
    /// - Returns: The same description with its channel in the hub's spelling.
    /// - Throws: ``DeviceError`` for the first fault.
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
