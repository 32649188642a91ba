/// What may differ between apps.
///
/// ```swift
/// var configuration = SubscriberConfiguration()
/// configuration.text = .newsflash
/// let news = NewsSubscriber(registrar: registrar, storage: storage, configuration: configuration)
/// ```
public struct SubscriberConfiguration: Sendable {
    /// Which property of a message the device shows: `configuration.text = .newsflash`.
    public var text = NewsText.tutorial
    /// How notifications are made, one a platform; of two for the same the first counts:
    /// `configuration.templates = [loud] + NewsTemplate.standard`.
    public var templates = NewsTemplate.standard
    /// The languages that the newsroom offers. A subscriber whose language is not among them gets the nearest, `pt-BR` for `pt`;
    /// otherwise the one text for all. Without the list each language is registered as it was chosen, and one that the sender
    /// does not fill shows an empty alert: `configuration.languages = try [NewsLanguage(locale: "pt-BR"), .english]`.
    public var languages: [NewsLanguage] = []
    /// A name of this device that a backup does not bring to another: on iOS
    /// `configuration.device = UIDevice.current.identifierForVendor?.uuidString`. Only its digest is stored. Without it a phone
    /// that was restored from a backup uses the registration of the old phone, and both take it from each other.
    public var device: String?
    /// For how long the same content need not be registered again; a day: `configuration.refresh = .seconds(3600)`.
    public var refresh = Duration.seconds(86_400)

    /// Makes a configuration of the defaults, which are the tutorial's: `SubscriberConfiguration()`.
    public init() {}
}
