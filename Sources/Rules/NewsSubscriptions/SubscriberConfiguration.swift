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
    /// For how long the same content need not be registered again; a day: `configuration.refresh = .seconds(3600)`.
    public var refresh = Duration.seconds(86_400)

    /// Makes a configuration of the defaults, which are the tutorial's: `SubscriberConfiguration()`.
    public init() {}
}
