public import NotificationHubsCore

/// How a platform's notification is made of a sent message.
///
/// The standard ones are those of Microsoft's tutorials, name and body to the byte. An app with other wishes makes its own:
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
    /// Whose notifications it makes.
    ///
    /// ```swift
    /// NewsTemplate.apns.platform      // .apns
    /// ```
    public let platform: PushPlatform
    private let make: @Sendable (_ text: String) -> TemplateDescription

    /// Makes a template of one's own.
    ///
    /// ```swift
    /// NewsTemplate(for: .fcmv1) { text in
    ///     TemplateDescription(name: "shown", body: #"{"message":{"notification":{"body":"\#(text)"}}}"#)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - platform: Whose notifications it makes.
    ///   - make: Gets the expression that stands for the text.
    public init(for platform: PushPlatform, _ make: @escaping @Sendable (_ text: String) -> TemplateDescription) {
        self.platform = platform
        self.make = make
    }

    /// The template as it is registered.
    ///
    /// ```swift
    /// NewsTemplate.apns.description(showing: "$(messageParam)").body   // {"aps":{"alert":"$(messageParam)"}}
    /// ```
    ///
    /// - Parameter text: The expression that stands for the text.
    /// - Returns: Name, body, headers and expiry.
    public func description(showing text: String) -> TemplateDescription {
        make(text)
    }
}

extension NewsTemplate {
    /// Those for Apple, Firebase and Windows.
    ///
    /// ```swift
    /// configuration.templates = NewsTemplate.standard.filter { $0.platform != .apns } + [loud]
    /// ```
    public static let standard: [NewsTemplate] = [.apns, .fcmv1, .wns]

    /// The alert of the iOS tutorial: `{"aps":{"alert":"$(messageParam)"}}`, not kept where the device is not reached.
    public static let apns = NewsTemplate(for: .apns) { text in
        TemplateDescription(name: "simpleAPNSTemplate", body: #"{"aps":{"alert":"\#(text)"}}"#, expiry: "0")
    }

    /// Data for the app, which shows it: `{"message":{"android":{"data":{"message":"$(messageParam)"}}}}`, as Microsoft
    /// writes it (https://learn.microsoft.com/azure/notification-hubs/firebase-migration-sdk).
    public static let fcmv1 = NewsTemplate(for: .fcmv1) { text in
        TemplateDescription(
            name: "simpleFCMV1Template",
            body: #"{"message":{"android":{"data":{"message":"\#(text)"}}}}"#
        )
    }

    /// A toast of one line, `ToastText01`, with the header that says so.
    public static let wns = NewsTemplate(for: .wns) { text in
        TemplateDescription(
            name: "simpleWNSTemplate",
            body: #"<toast><visual><binding template="ToastText01"><text id="1">"# + text
                + "</text></binding></visual></toast>",
            headers: [NamedValue("X-WNS-Type", "wns/toast")]
        )
    }
}
