import NewsflashStrictXML
import NotificationHubsCore

/// A template's decoded body in the format of its platform, with the headers derived from it.
struct TemplateLayout {
    let body: TemplateBody
    /// The headers that the SDKs derive from the root element; the template's headers have precedence.
    let derivedHeaders: [NamedValue]

    init(
        _ template: TemplateDescription,
        platform: PushPlatform,
        fields: inout TemplateFieldReader
    ) throws(TemplateError) {
        switch platform {
        case .wns, .mpns:
            guard let kind = WindowsBody(of: template.body) else {
                throw TemplateError(
                    .invalidBody,
                    "The body of the template is neither XML nor a JSON object",
                    path: "/body"
                )
            }
            switch kind {
            case .json:
                derivedHeaders = []
                body = try TemplateBody(json: template.body, platform: platform, fields: &fields)
                try WindowsTemplateRules.checkJSON(template.headers, platform: platform, fields: &fields)
            case .xml:
                let root = try Self.root(of: template.body, platform: platform)
                derivedHeaders = try WindowsTemplateRules.headers(
                    of: root,
                    given: template.headers,
                    platform: platform,
                    fields: &fields
                )
                body = try TemplateBody(xml: root, fields: &fields)
            }
        default:
            derivedHeaders = []
            body = try TemplateBody(json: template.body, platform: platform, fields: &fields)
        }
    }

    private static func root(of text: String, platform: PushPlatform) throws(TemplateError) -> XMLElement {
        do throws(XMLError) {
            return try XMLReader.read(text)
        } catch {
            throw TemplateError(
                .invalidBody,
                "\(WindowsTemplateRules.notAccepted(platform)) \(error)",
                path: "/body"
            )
        }
    }
}

/// The format of a body for Windows, detected from its first character as in the .NET SDK.
private enum WindowsBody {
    case xml, json

    init?(of text: String) {
        switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
        case "<": self = .xml
        case "{": self = .json
        default: return nil
        }
    }
}
