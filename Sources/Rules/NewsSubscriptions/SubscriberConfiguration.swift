/// The settings that may differ between apps.
///
/// ```swift
/// var configuration = SubscriberConfiguration()
/// configuration.text = .newsflash
/// let news = NewsSubscriber(registrar: registrar, storage: storage, configuration: configuration)
/// ```
public struct SubscriberConfiguration: Sendable {
    /// The property of a message that the device shows: `configuration.text = .newsflash`.
    public var text = NewsText.tutorial
    /// The templates of notifications, one per platform; if a platform has two, the first counts: `configuration.templates =
    /// [loud] + NewsTemplate.standard`.
    public var templates = NewsTemplate.standard
    /// The languages that the newsroom offers. A subscriber whose language is not among them gets the nearest, `pt-BR` for
    /// `pt`; otherwise the single text for everyone. If the list is empty, each language is registered as it was chosen, and
    /// one that the sender does not fill shows an empty alert: `configuration.languages = try [NewsLanguage(locale: "pt-BR"),
    /// .english]`.
    public var languages: [NewsLanguage] = []
    /// A name of this device that a backup does not copy to another device: on iOS `configuration.device =
    /// UIDevice.current.identifierForVendor?.uuidString`. Only its digest is stored. Without it, a phone that was restored
    /// from a backup uses the registration of the old phone, and each takes it from the other.
    public var device: String?
    /// The time for which the same content need not be registered again; a day by default: `configuration.refresh =
    /// .seconds(3600)`.
    public var refresh = Duration.seconds(86_400)

    /// Creates a configuration with the defaults, which are the tutorial's: `SubscriberConfiguration()`.
    public init() {}
}
