import NewsflashBasics
import NewsflashStrictXML
import NotificationHubsCore

/// The rules for the bodies of templates of Windows and Windows Phone, and the headers derived from them.
///
/// Source: the .NET SDK; the service's own check is assumed to be similar.
enum WindowsTemplateRules {
    static let wnsType = "X-WNS-Type"
    static let phoneTarget = "X-WindowsPhone-Target"
    static let phoneClass = "X-NotificationClass"

    /// The SDK's message for an invalid body.
    static func notAccepted(_ platform: PushPlatform) -> String {
        platform == .mpns
            ? "The bodyTemplate is not in accepted XML format. "
                + "The first node of the bodyTemplate should be Tile/Toast, except raw template."
            : "The bodyTemplate is not in accepted XML format. "
                + "The first node of the bodyTemplate should be Badge/Tile/Toast, except wns/raw template, "
                + "which need to be a valid XML."
    }

    /// Checks that the root element fits the platform.
    ///
    /// - Parameters:
    ///   - root: The root element of the body.
    ///   - given: The template's headers.
    ///   - platform: Windows or Windows Phone.
    ///   - fields: Receives warnings.
    /// - Returns: The headers that the SDKs would add.
    /// - Throws: ``TemplateError`` if the root element is not valid for the platform.
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

    /// Checks that the headers of a JSON body mark it as a raw notification. Only raw notifications can be JSON.
    ///
    /// - Parameters:
    ///   - headers: The template's headers.
    ///   - platform: Windows or Windows Phone.
    ///   - fields: Receives warnings.
    /// - Throws: ``TemplateError`` if the header is missing.
    static func checkJSON(
        _ headers: [NamedValue],
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        let (name, value) = platform == .mpns ? (phoneClass, "3") : (wnsType, WNSType.raw.rawValue)
        guard let header = headers.value(of: name) else {
            throw TemplateError(
                .missingHeader,
                "a template with a JSON body must have the header \(name), such as \(value)",
                path: "/headers"
            )
        }
        let isRaw = platform == .mpns ? isRawPhoneClass(header) : header.lowercased() == value
        if !isRaw, !TemplateExpressionParser.isExpression(header) {
            fields.warn("Windows drops it: a JSON body is a raw notification, \(value)", at: "/headers/\(name)")
        }
    }

    /// Whether the class is one for raw notifications. Each of the three delays has one class for these, and more for apps.
    private static func isRawPhoneClass(_ value: String?) -> Bool {
        switch value.flatMap({ Int($0) }) ?? 0 {
        case 3...10, 13...20, 23...31: true
        default: false
        }
    }
}

/// The kinds of Windows Phone notifications that are XML.
enum WindowsPhoneKind {
    case toast, tile

    private static let namespace = "WPNotification"

    /// Detects the kind.
    ///
    /// - Parameter root: `<wp:Notification xmlns:wp="WPNotification">`; any other root, or an unknown first child, gives `nil`.
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

    /// The value of `X-NotificationClass` for immediate delivery.
    var notificationClass: String { self == .toast ? "2" : "1" }
}

extension WNSType {
    /// Returns the kind with this root element; names ignore case.
    init?(root name: String) {
        self.init(rawValue: "wns/" + name.lowercased())
        if self == .raw { return nil }
    }
}

extension [NamedValue] {
    /// Returns the value of a header; names ignore case.
    func value(of name: String) -> String? {
        first { $0.name.lowercasedASCII == name.lowercasedASCII }?.value
    }
}
