public import NotificationHubsCore
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

extension RegistrationXML {
    /// Decodes the registration in the body of a request.
    ///
    /// `ETag` and `RegistrationId` are ignored, because the request's path and headers contain them. `ExpirationTime` must be
    /// absent, nil, empty or in the year 9999, which means never in the service's responses. No SDK sends another value: .NET
    /// clears it before writing, JavaScript and Java omit it.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The checked description; the expressions of its template are not checked.
    /// - Throws: ``DeviceError`` with the service's text.
    public static func read(_ body: [UInt8]) throws(DeviceError) -> RegistrationDescription {
        let reader = RegistrationReader(try description(in: body))
        try reader.refuseExpiration()
        return try reader.description()
    }

    /// Decodes a registration in a response of the hub, or one entry of a list.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The registration, including the members that the hub sets.
    /// - Throws: ``DeviceError`` if the body is not a registration.
    public static func readAnswer(_ body: [UInt8]) throws(DeviceError) -> Registration {
        try RegistrationReader(try description(in: body)).registration()
    }

    /// Finds the description's element: the root, or the first element in the content of an entry.
    private static func description(in body: [UInt8]) throws(DeviceError) -> XMLElement {
        let root: XMLElement
        do throws(XMLError) {
            root = try XMLReader.read(utf8(body))
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw DeviceError(.syntax, "The request body is not valid XML: \(error.message) (\(place)).")
        }
        guard root.localName == "entry" else { return root }
        guard let description = root.first("content")?.elements.first else {
            throw DeviceError(.missing, "The entry has no registration in its content.", at: "content")
        }
        return description
    }

    /// Converts the body to UTF-8: Microsoft's Python sample declares UTF-8 but sends Latin-1.
    private static func utf8(_ body: [UInt8]) -> [UInt8] {
        guard String(validating: body, as: UTF8.self) == nil else { return body }
        return Array(String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).utf8)
    }
}
