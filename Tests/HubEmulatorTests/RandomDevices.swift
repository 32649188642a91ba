import NewsflashBasics
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs

/// Random devices of all platforms, generated from a seed.
struct RandomDevices {
    private var generator: SeededRandom
    /// Texts that are difficult to store correctly.
    private static let texts = [
        "", "plain", "with, comma", "with \"quotes\" and \\", "Zürich 🗞", "e\u{301}", "é", "nul\u{0}inside",
        "line\nbreak", "[\"json\"]", "null",
    ]

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
    }

    mutating func registration(id: String, platform: PushPlatform) throws -> Registration {
        Registration(
            id: id,
            etag: .random(in: 1...(.max), using: &generator),
            expiration: maybe { Timestamp(nanoseconds: .random(in: 0...(.max), using: &$0)) },
            description: RegistrationDescription(
                channel: channel(platform),
                tags: try tags(),
                pushVariables: namedValues(),
                secondaryTileName: maybe { Self.texts.randomElement(using: &$0) ?? "" },
                template: Bool.random(using: &generator) ? template() : nil
            )
        )
    }

    mutating func installation(id: String, platform: PushPlatform) throws -> Installation {
        var installation = Installation(
            id: id,
            channel: channel(platform),
            userID: maybe { Self.texts.randomElement(using: &$0) ?? "" },
            isChannelExpired: .random(using: &generator),
            expiration: maybe { Timestamp(nanoseconds: .random(in: 0...(.max), using: &$0)) },
            tags: try tags(),
            pushVariables: namedValues(),
            templates: try templates()
        )
        for number in 0..<Int.random(in: 0...2, using: &generator) {
            installation.secondaryTiles.append(
                SecondaryTile(
                    name: "tile \(number)",
                    channel: channel(platform),
                    tags: try tags(),
                    templates: try templates()
                )
            )
        }
        return installation
    }

    private mutating func templates() throws -> [InstallationTemplate] {
        var templates: [InstallationTemplate] = []
        for number in 0..<Int.random(in: 0...3, using: &generator) {
            let template = template()
            templates.append(
                InstallationTemplate(
                    name: "template \(number)",
                    body: template.body,
                    headers: template.headers,
                    expiry: template.expiry,
                    tags: try tags()
                )
            )
        }
        return templates
    }

    private mutating func template() -> TemplateDescription {
        TemplateDescription(
            name: maybe { Self.texts.randomElement(using: &$0) ?? "" },
            body: text(),
            headers: namedValues(),
            expiry: maybe { Self.texts.randomElement(using: &$0) ?? "" },
            priority: maybe { Self.texts.randomElement(using: &$0) ?? "" }
        )
    }

    private mutating func channel(_ platform: PushPlatform) -> PushChannel {
        let handle = "\(UInt64.random(in: .min ... .max, using: &generator))"
        return switch platform {
        case .apns: .apns(deviceToken: handle)
        case .fcmv1: .fcmv1(registrationID: handle + ":" + text())
        case .gcm: .gcm(registrationID: handle)
        case .wns: .wns(uri: "https://wns.example/?token=" + handle)
        case .mpns: .mpns(uri: "https://mpns.example/" + handle)
        case .adm: .adm(registrationID: handle)
        case .baidu: .baidu(userID: handle + "-1", channelID: text())
        case .browser: .browser(endpoint: "https://push.example/" + handle, p256dh: text(), auth: text())
        default: .xiaomi(registrationID: handle)
        }
    }

    private mutating func tags() throws -> [Tag] {
        try (0..<Int.random(in: 0...4, using: &generator)).map { number in
            try number == 0
                ? Tag("$InstallationId:{a=b}") : Tag("topic:\(number)_\(Int.random(in: 0..<9, using: &generator))")
        }
    }

    private mutating func namedValues() -> [NamedValue] {
        // The same name may occur twice.
        (0..<Int.random(in: 0...3, using: &generator)).map { NamedValue("name \($0 / 2)", text()) }
    }

    private mutating func text() -> String { Self.texts.randomElement(using: &generator) ?? "" }

    private mutating func maybe<Value>(_ make: (inout SeededRandom) -> Value) -> Value? {
        Bool.random(using: &generator) ? make(&generator) : nil
    }
}
