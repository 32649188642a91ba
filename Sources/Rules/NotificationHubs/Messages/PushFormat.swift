/// The platform that a message is written for: the value of `ServiceBusNotification-Format`.
public enum PushFormat: String, Sendable, CaseIterable {
    /// Named properties; each device's template makes its notification of them, whatever its platform.
    case template
    /// Apple's push service.
    case apple
    /// Firebase Cloud Messaging, version 1. The payload needs the outer `message`.
    case fcmv1
    /// Firebase's old protocol, which Google switched off in 2024.
    case gcm
    /// Windows: toasts, tiles, badges and raw notifications.
    case windows
    /// Windows Phone, no longer in service.
    case windowsphone
    /// Amazon's devices.
    case adm
    /// Baidu.
    case baidu
    /// Web push.
    case browser
    /// Xiaomi.
    case xiaomi

    /// Reads the header's value.
    ///
    /// - Parameter headerValue: In any case: pages write `fcmV1`, SDKs `fcmv1`.
    public init?(headerValue: String) {
        self.init(rawValue: headerValue.lowercased())
    }

    /// Whether the body is JSON.
    public var isJSON: Bool {
        switch self {
        case .windows, .windowsphone: false
        case .template, .apple, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: true
        }
    }

    /// The content type of a message.
    ///
    /// - Parameter wnsType: The value of `X-WNS-Type`, where there is one.
    /// - Returns: As the REST pages name it.
    public func contentType(wnsType: String? = nil) -> String {
        switch self {
        case .windows: wnsType?.lowercased() == "wns/raw" ? "application/octet-stream" : "application/xml"
        case .windowsphone: "application/xml;charset=utf-8"
        case .template, .apple, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json;charset=utf-8"
        }
    }
}
