/// The format of a message: the value of `ServiceBusNotification-Format`.
package enum PushFormat: String, Sendable, CaseIterable {
    /// Named properties, from which the template of each device renders a notification for its platform.
    case template
    /// Apple's push service.
    case apple
    /// Firebase Cloud Messaging, version 1. The payload needs the outer `message`.
    case fcmv1
    /// Firebase's old protocol, which Google switched off in 2024.
    case gcm
    /// Windows: toasts, tiles, badges and raw notifications.
    case windows
    /// Windows Phone, discontinued.
    case windowsphone
    /// Amazon's devices.
    case adm
    /// Baidu.
    case baidu
    /// Web push.
    case browser
    /// Xiaomi.
    case xiaomi

    /// Decodes the header's value.
    ///
    /// - Parameter headerValue: The value, in any case: the REST documentation writes `fcmV1`, the SDKs `fcmv1`.
    package init?(headerValue: String) {
        self.init(rawValue: headerValue.lowercased())
    }

    /// The platform of native messages in this format; `nil` for ``template``.
    package var platform: PushPlatform? { facts?.platform }

    /// Whether the body is JSON.
    package var isJSON: Bool {
        self != .windows && self != .windowsphone
    }

    /// Returns the content type of a message.
    ///
    /// - Parameter wnsType: The value of `X-WNS-Type`, if any.
    /// - Returns: The content type given in the REST documentation.
    package func contentType(wnsType: String? = nil) -> String {
        switch self {
        case .windows: wnsType?.lowercased() == "wns/raw" ? "application/octet-stream" : "application/xml"
        case .windowsphone: "application/xml;charset=utf-8"
        case .template, .apple, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json;charset=utf-8"
        }
    }
}
