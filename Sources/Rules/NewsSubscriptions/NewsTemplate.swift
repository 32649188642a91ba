public import NotificationHubsCore

/// The template by which a platform's notification is made from a sent message.
///
/// The standard templates are those of Microsoft's tutorials, with the same names and the same bodies to the byte. An app
/// with other needs makes its own:
///
/// ```swift
/// let loud = NewsTemplate(for: .apns) { text in
///     TemplateDescription(
///         name: "loud",
///         body: #"{"aps":{"alert":"\#(text)","sound":"default"},"url":"$(url)"}"#,
///         expiry: "0"
///     )
/// }
/// ```
public struct NewsTemplate: Sendable {
    /// The platform of its notifications.
    ///
    /// ```swift
    /// NewsTemplate.apns.platform      // .apns
    /// ```
    public let platform: PushPlatform
    private let make: @Sendable (_ text: String) -> TemplateDescription

    /// Creates a custom template.
    ///
    /// ```swift
    /// NewsTemplate(for: .fcmv1) { text in
    ///     TemplateDescription(name: "shown", body: #"{"message":{"notification":{"body":"\#(text)"}}}"#)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - platform: The platform of its notifications.
    ///   - make: Receives the expression for the text and returns the template.
    public init(for platform: PushPlatform, _ make: @escaping @Sendable (_ text: String) -> TemplateDescription) {
        self.platform = platform
        self.make = make
    }

    /// The template to register.
    ///
    /// ```swift
    /// NewsTemplate.apns.description(showing: "$(messageParam)").body   // {"aps":{"alert":"$(messageParam)"}}
    /// ```
    ///
    /// - Parameter text: The expression for the text.
    /// - Returns: Name, body, headers and expiry.
    public func description(showing text: String) -> TemplateDescription {
        make(text)
    }
}

extension NewsTemplate {
    /// The templates for Apple, Firebase and Windows.
    ///
    /// ```swift
    /// configuration.templates = NewsTemplate.standard.filter { $0.platform != .apns } + [loud]
    /// ```
    public static let standard: [NewsTemplate] = [.apns, .fcmv1, .wns]

    /// The alert of the iOS tutorial: `{"aps":{"alert":"$(messageParam)"}}`; dropped if the device is not reachable.
    public static let apns = NewsTemplate(for: .apns) { text in
        TemplateDescription(name: "simpleAPNSTemplate", body: #"{"aps":{"alert":"\#(text)"}}"#, expiry: "0")
    }

    /// Data that the app itself shows: `{"message":{"android":{"data":{"message":"$(messageParam)"}}}}`, as in Microsoft's
    /// documentation (https://learn.microsoft.com/azure/notification-hubs/firebase-migration-sdk).
    public static let fcmv1 = NewsTemplate(for: .fcmv1) { text in
        TemplateDescription(
            name: "simpleFCMV1Template",
            body: #"{"message":{"android":{"data":{"message":"\#(text)"}}}}"#
        )
    }

    /// A toast of one line, `ToastText01`, with the header for this type.
    public static let wns = NewsTemplate(for: .wns) { text in
        TemplateDescription(
            name: "simpleWNSTemplate",
            body: #"<toast><visual><binding template="ToastText01"><text id="1">"# + text
                + "</text></binding></visual></toast>",
            headers: [NamedValue("X-WNS-Type", "wns/toast")]
        )
    }
}

/// The property of a sent message that a device shows.
///
/// ```swift
/// NewsText.tutorial.expression(in: nil)           // $(messageParam)
/// NewsText.tutorial.expression(in: .french)       // $(News_French)
/// NewsText.newsflash.expression(in: .french)      // $(headline_fr)
/// ```
public enum NewsText: Hashable, Sendable {
    /// The tutorials' properties: `$(messageParam)`, and `$(News_<language>)` once a language is chosen.
    case tutorial
    /// The properties that newsflash itself fills: `$(headline)`, and `$(headline_<locale>)` once a language is chosen.
    case newsflash
    /// One expression for all languages, in the hub's language for templates, such as `{'News: ' + $(title)}`.
    ///
    /// It is inserted into the template's body unchanged: escape a double quote for JSON, and `<` for XML.
    case expression(String)

    /// The expression for a template.
    ///
    /// ```swift
    /// NewsText.newsflash.expression(in: try NewsLanguage(locale: "pt-BR", name: "Portuguese"))  // $(headline_pt_BR)
    /// ```
    ///
    /// - Parameter language: The language that the subscriber chose.
    /// - Returns: The expression, in the hub's language for templates.
    public func expression(in language: NewsLanguage?) -> String {
        switch self {
        case .tutorial: language.map { "$(News_\($0.name))" } ?? "$(messageParam)"
        case .newsflash: language.map { "$(headline_\($0.propertySuffix))" } ?? "$(headline)"
        case .expression(let expression): expression
        }
    }
}
