import NotificationHubsCore
import StrictJSON
import StrictXML

/// Decodes the XML element of a registration.
struct RegistrationReader {
    private let element: XMLElement

    init(_ element: XMLElement) {
        self.element = element
    }

    /// Rejects an expiration time set by the client.
    func refuseExpiration() throws(DeviceError) {
        guard let text = text("ExpirationTime"), !ExpirationText.isNever(text) else { return }
        throw DeviceError(.expiration, "Cannot specify ExpirationTime.", at: "ExpirationTime")
    }

    func description() throws(DeviceError) -> RegistrationDescription {
        let kind = try kind()
        let template = kind.isTemplate ? try template(for: kind.platform) : nil
        return try RegistrationDescription(
            channel: channel(kind.platform),
            tags: TagList.read(joined: text("Tags") ?? "", templateName: template?.name, at: "Tags"),
            pushVariables: pushVariables(),
            secondaryTileName: [.wns, .mpns].contains(kind.platform) ? name("SecondaryTileName") : nil,
            template: template
        ).checked()
    }

    func registration() throws(DeviceError) -> Registration {
        guard let id = text("RegistrationId"), !id.isEmpty else {
            throw DeviceError(.missing, "The registration has no id.", at: "RegistrationId")
        }
        guard let etag = Int64(text("ETag") ?? "") else {
            throw DeviceError(.missing, "The registration has no ETag.", at: "ETag")
        }
        let expiration = try ExpirationText.read(text("ExpirationTime"), at: "ExpirationTime")
        return Registration(id: id, etag: etag, expiration: expiration, description: try description())
    }

    private func kind() throws(DeviceError) -> RegistrationKind {
        var name = element.localName
        if name == "RegistrationDescription" {
            // The type is a qualified name, so it may have a prefix.
            name = (element.attribute("type") ?? "").split(separator: ":").last ?? ""
        }
        guard let kind = RegistrationKind(name: name) else {
            throw DeviceError(.unknownPlatform, "Unknown RegistrationDescription type.")
        }
        return kind
    }

    private func channel(_ platform: PushPlatform) -> PushChannel {
        func handle(_ name: String) -> String { String((text(name) ?? "").trimmed) }
        let first = handle(platform.handleElement)
        return switch platform {
        case .apns: .apns(deviceToken: first)
        case .fcmv1: .fcmv1(registrationID: first)
        case .gcm: .gcm(registrationID: first)
        case .wns: .wns(uri: first)
        case .mpns: .mpns(uri: first)
        case .adm: .adm(registrationID: first)
        case .baidu: .baidu(userID: first, channelID: handle("BaiduChannelId"))
        case .browser: .browser(endpoint: first, p256dh: handle("P256DH"), auth: handle("Auth"))
        case .xiaomi: .xiaomi(registrationID: first)
        }
    }

    private func pushVariables() throws(DeviceError) -> [NamedValue] {
        guard let text = text("PushVariables"), !text.trimmed.isEmpty else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(text)
        } catch {
            throw DeviceError(.syntax, "The push variables are not valid JSON: \(error.message).", at: "PushVariables")
        }
        return try PushVariables.read(value, at: "PushVariables")
    }

    private func template(for platform: PushPlatform) throws(DeviceError) -> TemplateDescription {
        guard let body = text("BodyTemplate") else {
            throw DeviceError(.missing, "The element BodyTemplate is missing.", at: "BodyTemplate")
        }
        let isApple = platform == .apns
        return TemplateDescription(
            name: name("TemplateName"),
            body: body,
            headers: try headers(for: platform),
            expiry: isApple ? text("Expiry") : nil,
            priority: isApple ? text("Priority") : nil
        )
    }

    private func headers(for platform: PushPlatform) throws(DeviceError) -> [NamedValue] {
        guard let name = platform.headerElement, let list = element.first(name + "s") else { return [] }
        var headers: [NamedValue] = []
        for header in list.elements where header.localName == name {
            guard let field = header.first("Header")?.text.trimmed, !field.isEmpty else {
                throw DeviceError(.invalidTemplate, "A header of the template has no name.", at: name + "s")
            }
            headers.append(NamedValue(String(field), header.first("Value")?.text ?? ""))
        }
        return headers
    }

    /// The text of a member; `nil` if it is absent, nil or empty.
    private func name(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text of a member; `nil` if it is absent or nil.
    private func text(_ name: String) -> String? {
        guard let member = element.first(name) else { return nil }
        return ["true", "1"].contains(member.attribute("nil")) ? nil : member.text
    }
}
