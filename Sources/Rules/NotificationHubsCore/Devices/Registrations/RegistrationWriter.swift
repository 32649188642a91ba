import StrictJSON
import Timestamps
import XMLText

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

    func write(to writer: inout XMLWriter, identity: Identity?) {
        let platform = description.channel.platform
        let name = RegistrationKind(platform: platform, isTemplate: description.template != nil).name
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
        writeChannel(to: &writer)
        if let tile = description.secondaryTileName { writer.element("SecondaryTileName", tile) }
        if let template = description.template { write(template, platform: platform, to: &writer) }
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

    private func writeChannel(to writer: inout XMLWriter) {
        let first = description.channel.platform.handleElement
        switch description.channel {
        case .apns(let handle), .fcmv1(let handle), .gcm(let handle), .wns(let handle), .mpns(let handle),
            .adm(let handle), .xiaomi(let handle):
            writer.element(first, handle)
        case .baidu(let userID, let channelID):
            writer.element(first, userID)
            writer.element("BaiduChannelId", channelID)
        case .browser(let endpoint, let p256dh, let auth):
            writer.element(first, endpoint)
            writer.element("P256DH", p256dh)
            writer.element("Auth", auth)
        }
    }

    private func write(_ template: TemplateDescription, platform: PushPlatform, to writer: inout XMLWriter) {
        writer.begin("BodyTemplate")
        writer.cdata(template.body)
        writer.end("BodyTemplate")
        if platform == .apns {
            write(template.expiry, as: "Expiry", to: &writer)
            write(template.name, as: "TemplateName", to: &writer)
            if let priority = template.priority { writer.element("Priority", priority) }
            write(template.headers, as: "ApnsHeader", to: &writer)
        } else {
            if let name = platform.headerElement { write(template.headers, as: name, to: &writer) }
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
