import NewsflashStrictJSON
import NewsflashStrictXML
package import NotificationHubsCore

/// Decodes the XML element of a registration.
///
/// Requests are decoded strictly, with the service's errors. In responses everything is kept that can be kept: tags, platforms
/// and values of other clients may break the rules that this library applies to its own requests.
struct RegistrationReader {
    private let element: XMLElement

    init(_ element: XMLElement) {
        self.element = element
    }

    /// Decodes the registration in a request.
    func request() throws(HubValueError) -> RegistrationDescription {
        if let text = text("ExpirationTime"), !ExpirationText.isNever(text) {
            throw HubValueError(.deviceExpiration, "Cannot specify ExpirationTime.", at: "ExpirationTime")
        }
        guard let kind, let facts = kind.platform.facts else {
            throw HubValueError(.deviceUnknownPlatform, "Unknown RegistrationDescription type.")
        }
        var template: TemplateDescription?
        if kind.isTemplate {
            guard text("BodyTemplate") != nil else {
                throw HubValueError(.deviceMissing, "The element BodyTemplate is missing.", at: "BodyTemplate")
            }
            let headers = headers(of: facts)
            guard headers.allSatisfy({ !$0.name.isEmpty }) else {
                let path = facts.headerElement.map { $0 + "s" } ?? ""
                throw HubValueError(.deviceInvalidTemplate, "A header of the template has no name.", at: path)
            }
            template = self.template(of: facts, headers)
        }
        return try RegistrationDescription(
            channel: channel(kind.platform),
            tags: TagList.read(joined: text("Tags") ?? "", templateName: template?.name, at: "Tags"),
            pushVariables: pushVariables(),
            secondaryTileName: secondaryTileName(kind.platform),
            template: template
        ).checked()
    }

    /// Decodes a registration that a hub returned. Only its ID, its ETag and its kind must be readable.
    func registration() throws(HubValueError) -> Registration {
        guard let id = text("RegistrationId"), !id.isEmpty else {
            throw HubValueError(.deviceMissing, "The registration has no id.", at: "RegistrationId")
        }
        guard let etag = Int64(text("ETag") ?? "") else {
            throw HubValueError(.deviceMissing, "The registration has no ETag.", at: "ETag")
        }
        guard let kind else { throw HubValueError(.deviceUnknownPlatform, "Unknown RegistrationDescription type.") }
        let template = kind.isTemplate ? template(of: kind.platform.facts, headers(of: kind.platform.facts)) : nil
        let tags = (text("Tags") ?? "").split(separator: ",").map { String($0.trimmed) }
        let variables = text("PushVariables") ?? ""
        return Registration(
            id: id,
            etag: etag,
            expiration: (try? ExpirationText.read(text("ExpirationTime"), at: "")) ?? nil,
            description: RegistrationDescription(
                channel: channel(kind.platform),
                tags: TagList.keep(tags, templateName: template?.name),
                pushVariables: (try? JSONReader.read(variables)).map(PushVariables.keep) ?? [],
                secondaryTileName: secondaryTileName(kind.platform),
                template: template
            )
        )
    }

    /// The registration's ID, if it has one.
    var id: String? { name("RegistrationId") }

    private var kind: RegistrationKind? {
        var name = element.localName
        if name == "RegistrationDescription" {
            // The type is a qualified name, so it may have a prefix.
            name = (element.attribute("type") ?? "").split(separator: ":").last ?? ""
        }
        return RegistrationKind(name: name)
    }

    private func channel(_ platform: PushPlatform) -> PushChannel {
        let elements = platform.facts?.channelElements ?? [unknownHandleElement ?? ""]
        return PushChannel(platform, parts: elements.map { String((text($0) ?? "").trimmed) })
    }

    /// The element that probably contains the handle of a platform that this version does not know.
    private var unknownHandleElement: String? {
        element.elements.map { String($0.localName) }.first { name in
            name != "RegistrationId"
                && (name.hasSuffix("RegistrationId")
                    || PlatformFacts.all.contains { $0.channelElements.first == name })
        }
    }

    private func secondaryTileName(_ platform: PushPlatform) -> String? {
        [.wns, .mpns].contains(platform) ? name("SecondaryTileName") : nil
    }

    private func pushVariables() throws(HubValueError) -> [NamedValue] {
        guard let text = text("PushVariables"), !text.trimmed.isEmpty else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(text)
        } catch {
            throw HubValueError(
                .deviceSyntax,
                "The push variables are not valid JSON: \(error.message).",
                at: "PushVariables"
            )
        }
        return try PushVariables.read(value, at: "PushVariables")
    }

    private func template(of facts: PlatformFacts?, _ headers: [NamedValue]) -> TemplateDescription {
        let isApple = facts?.platform == .apns
        return TemplateDescription(
            name: name("TemplateName"),
            body: text("BodyTemplate") ?? "",
            headers: headers,
            expiry: isApple ? text("Expiry") : nil,
            priority: isApple ? text("Priority") : nil
        )
    }

    private func headers(of facts: PlatformFacts?) -> [NamedValue] {
        guard let name = facts?.headerElement, let list = element.first(name + "s") else { return [] }
        return list.elements.filter { $0.localName == name }.map { header in
            NamedValue(String(header.first("Header")?.text.trimmed ?? ""), header.first("Value")?.text ?? "")
        }
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
    /// - Throws: ``HubValueError`` with the service's text.
    package static func read(_ body: [UInt8]) throws(HubValueError) -> RegistrationDescription {
        try RegistrationReader(try description(in: body)).request()
    }

    /// Decodes a registration in a response of the hub, or one entry of a list.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The registration, including the members that the hub sets.
    /// - Throws: ``HubValueError`` if the body is not a registration.
    package static func readAnswer(_ body: [UInt8]) throws(HubValueError) -> Registration {
        try RegistrationReader(try description(in: body)).registration()
    }

    /// Finds the description's element: the root, or the first element in the content of an entry.
    private static func description(in body: [UInt8]) throws(HubValueError) -> XMLElement {
        let root: XMLElement
        do throws(XMLError) {
            root = try XMLReader.read(utf8(body))
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw HubValueError(.deviceSyntax, "The request body is not valid XML: \(error.message) (\(place)).")
        }
        guard root.localName == "entry" else { return root }
        guard let description = root.first("content")?.elements.first else {
            throw HubValueError(.deviceMissing, "The entry has no registration in its content.", at: "content")
        }
        return description
    }

    /// Converts the body to UTF-8: Microsoft's Python sample declares UTF-8 but sends Latin-1.
    private static func utf8(_ body: [UInt8]) -> [UInt8] {
        guard String(validating: body, as: UTF8.self) == nil else { return body }
        return Array(String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).utf8)
    }
}
