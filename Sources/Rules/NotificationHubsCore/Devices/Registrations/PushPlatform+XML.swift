extension PushPlatform {
    /// How the platform's elements begin: `Apple` in `AppleTemplateRegistrationDescription`.
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

    /// The element that holds the handle, or the first part of it.
    package var handleElement: String {
        switch self {
        case .apns: "DeviceToken"
        case .wns, .mpns: "ChannelUri"
        case .baidu: "BaiduUserId"
        case .browser: "Endpoint"
        case .fcmv1, .gcm, .adm, .xiaomi: elementPrefix + "RegistrationId"
        }
    }

    /// The element that holds each header of a template; that of all of them is called the same with an `s`.
    package var headerElement: String? {
        switch self {
        case .apns: "ApnsHeader"
        case .wns: "WnsHeader"
        case .mpns: "MpnsHeader"
        default: nil
        }
    }
}

/// A kind of registration as XML names it.
package struct RegistrationKind: Equatable {
    /// Whose it is.
    package var platform: PushPlatform
    /// Whether it makes notifications of template messages.
    package var isTemplate: Bool

    init(platform: PushPlatform, isTemplate: Bool) {
        self.platform = platform
        self.isTemplate = isTemplate
    }

    /// Reads an element's name.
    ///
    /// - Parameter name: Without prefix; with the case of the contract.
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
