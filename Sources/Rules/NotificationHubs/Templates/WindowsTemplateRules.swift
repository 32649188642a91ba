import ASCII
import NotificationHubsCore
import StrictXML

/// Which bodies templates of Windows and Windows Phone may have, and the headers that follow from them.
///
/// Source: the .NET SDK, which the service's own check is taken to be like.
enum WindowsTemplateRules {
    static let wnsType = "X-WNS-Type"
    static let phoneTarget = "X-WindowsPhone-Target"
    static let phoneClass = "X-NotificationClass"

    /// The SDK's words for a body of another kind.
    static func notAccepted(_ platform: PushPlatform) -> String {
        platform == .mpns
            ? "The bodyTemplate is not in accepted XML format. "
                + "The first node of the bodyTemplate should be Tile/Toast, except raw template."
            : "The bodyTemplate is not in accepted XML format. "
                + "The first node of the bodyTemplate should be Badge/Tile/Toast, except wns/raw template, "
                + "which need to be a valid XML."
    }

    /// Holds the root element to the platform.
    ///
    /// - Parameters:
    ///   - root: Of the body.
    ///   - given: The template's own headers.
    ///   - platform: Windows or Windows Phone.
    ///   - fields: Takes warnings.
    /// - Returns: The headers that the SDKs would add.
    /// - Throws: ``TemplateError`` for a root that the platform does not have.
    static func headers(
        of root: XMLElement,
        given: [NamedValue],
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) -> [NamedValue] {
        if platform == .mpns {
            if isRawPhoneClass(given.value(of: phoneClass)) { return [] }
            guard let kind = WindowsPhoneKind(root: root) else {
                throw TemplateError(.invalidBody, notAccepted(platform), path: "/body")
            }
            return [NamedValue(phoneTarget, kind.target), NamedValue(phoneClass, kind.notificationClass)]
        }
        let header = given.value(of: wnsType)
        if header?.lowercased() == WNSType.raw.rawValue { return [] }
        guard let type = WNSType(root: root.name) else {
            throw TemplateError(.invalidBody, notAccepted(platform), path: "/body")
        }
        if let header, !TemplateExpressionParser.isExpression(header), header.lowercased() != type.rawValue {
            fields.warn(
                "Windows drops it: the body's root element makes it \(type.rawValue)",
                at: "/headers/\(wnsType)"
            )
        }
        return [NamedValue(wnsType, type.rawValue)]
    }

    /// Holds a body of JSON to its headers: only raw notifications have one, and nothing in it says so.
    ///
    /// - Parameters:
    ///   - headers: The template's own.
    ///   - platform: Windows or Windows Phone.
    ///   - fields: Takes warnings.
    /// - Throws: ``TemplateError`` where the header that makes it raw is missing.
    static func checkJSON(
        _ headers: [NamedValue],
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        let (name, value) = platform == .mpns ? (phoneClass, "3") : (wnsType, WNSType.raw.rawValue)
        guard let header = headers.value(of: name) else {
            throw TemplateError(
                .missingHeader,
                "a template with a body of JSON must have the header \(name), such as \(value)",
                path: "/headers"
            )
        }
        let isRaw = platform == .mpns ? isRawPhoneClass(header) : header.lowercased() == value
        if !isRaw, !TemplateExpressionParser.isExpression(header) {
            fields.warn("Windows drops it: a body of JSON is a raw notification, \(value)", at: "/headers/\(name)")
        }
    }

    /// Of the three classes of delays each has its number for raw notifications, and further ones for apps.
    private static func isRawPhoneClass(_ value: String?) -> Bool {
        switch value.flatMap({ Int($0) }) ?? 0 {
        case 3...10, 13...20, 23...31: true
        default: false
        }
    }
}

/// The kinds of notifications of Windows Phone that are XML.
enum WindowsPhoneKind {
    case toast, tile

    private static let namespace = "WPNotification"

    /// Finds the kind.
    ///
    /// - Parameter root: `<wp:Notification xmlns:wp="WPNotification">`; nothing for any other, or one of another kind.
    init?(root: XMLElement) {
        let prefix = root.name.dropLast(root.localName.count)
        let declaration = prefix.isEmpty ? "xmlns" : "xmlns:" + prefix.dropLast()
        guard root.localName.lowercased() == "notification",
            root.attributes.contains(where: { $0.name == declaration && $0.value == Self.namespace })
        else { return nil }
        switch root.elements.first?.localName.lowercased() {
        case "toast": self = .toast
        case "tile": self = .tile
        default: return nil
        }
    }

    /// The value of `X-WindowsPhone-Target`.
    var target: String { self == .toast ? "toast" : "token" }

    /// The value of `X-NotificationClass` for delivery at once.
    var notificationClass: String { self == .toast ? "2" : "1" }
}

extension WNSType {
    /// The kind that has this root element; names ignore case.
    init?(root name: String) {
        self.init(rawValue: "wns/" + name.lowercased())
        if self == .raw { return nil }
    }
}

extension [NamedValue] {
    /// The value of a header; names ignore case.
    func value(of name: String) -> String? {
        first { $0.name.lowercasedASCII == name.lowercasedASCII }?.value
    }
}
