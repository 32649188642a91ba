extension PushPlatform {
    /// The prefix of the platform's elements: `Apple` in `AppleTemplateRegistrationDescription`.
    var elementPrefix: String {
        switch self {
        case .apns: "Apple"
        case .fcmv1: "FcmV1"
        case .gcm: "Gcm"
        case .wns: "Windows"
        case .mpns: "Mpns"
        case .adm: "Adm"
        case .baidu: "Baidu"
        case .browser: "Browser"
        case .xiaomi: "Xiaomi"
        }
    }

    /// The element that contains the handle, or the first part of it.
    package var handleElement: String {
        switch self {
        case .apns: "DeviceToken"
        case .wns, .mpns: "ChannelUri"
        case .baidu: "BaiduUserId"
        case .browser: "Endpoint"
        case .fcmv1, .gcm, .adm, .xiaomi: elementPrefix + "RegistrationId"
        }
    }

    /// The element of each header of a template; the element that contains all of them has an additional `s`.
    package var headerElement: String? {
        switch self {
        case .apns: "ApnsHeader"
        case .wns: "WnsHeader"
        case .mpns: "MpnsHeader"
        default: nil
        }
    }
}

/// A kind of registration, identified by its XML element.
package struct RegistrationKind: Equatable {
    /// The platform.
    package var platform: PushPlatform
    /// Whether it has a template, and so receives template messages.
    package var isTemplate: Bool

    init(platform: PushPlatform, isTemplate: Bool) {
        self.platform = platform
        self.isTemplate = isTemplate
    }

    /// Decodes an element's name.
    ///
    /// - Parameter name: The name without prefix, case-sensitive.
    package init?(name: some StringProtocol) {
        for platform in PushPlatform.allCases {
            for isTemplate in [false, true] {
                let kind = RegistrationKind(platform: platform, isTemplate: isTemplate)
                guard name == kind.name else { continue }
                self = kind
                return
            }
        }
        return nil
    }

    var name: String {
        platform.elementPrefix + (isTemplate ? "Template" : "") + "RegistrationDescription"
    }
}
