import HTTPTransport
import HubEmulator
import NotificationHubs
import Timestamps

/// The phones of the demo's subscribers, registered as by an app, each with another push service.
enum DemoPhones {
    private static let readers = ["en": "Grace", "fr": "Amélie", "ar": "ليلى", "cs": "Klára"]
    private static let platforms: [PushPlatform] = [.apns, .fcmv1, .wns]
    /// The categories that the subscribers chose, in turn.
    private static let choices = [
        DemoNewsroom.categories, ["World", "Politics", "Sports"], ["World", "Business", "Science", "Politics"],
    ]

    /// Returns a phone for each language.
    static func phones(_ languages: [String]) -> [SimulatedPhone] {
        languages.enumerated().map { index, language in
            let platform = platforms[index % platforms.count]
            return SimulatedPhone(
                id: "console-demo-\(index + 1)-\(language)",
                name: readers[language] ?? "Reader \(index + 1)",
                language: language,
                platform: platform,
                handle: handle(index, platform),
                tags: choices[index % choices.count]
            )
        }
    }

    /// Registers the phones at a running hub.
    ///
    /// - Throws: ``CommandError`` if the hub refuses a phone.
    static func register(_ phones: [SimulatedPhone], at hub: HubEmulator) throws {
        let connection = try HubConnectionString(hub.connectionStrings.first ?? "")
        let url = connection.endpoint.url + "/newsroom"
        let token = SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: url),
            expiry: (Timestamp.now() + .seconds(300)).seconds,
            keyName: connection.keyName,
            key: connection.key
        )
        for phone in phones {
            let answer = hub.answer(
                EmulatedRequest(
                    method: "PUT",
                    target: "/newsroom/installations/\(phone.id)?api-version=2020-06",
                    headers: [
                        .init("Host", String(url.dropFirst("http://".count).prefix { $0 != "/" })),
                        .init("Authorization", token.headerValue), .init("Content-Type", "application/json"),
                    ],
                    body: InstallationJSON.write(try installation(phone))
                )
            )
            guard answer.response.status == 200 else {
                throw CommandError(.internalError, "the hub refused a phone: status \(answer.response.status)")
            }
        }
    }

    private static func installation(_ phone: SimulatedPhone) throws -> Installation {
        let channel: PushChannel =
            switch phone.platform {
            case .fcmv1: .fcmv1(registrationID: phone.handle)
            case .wns: .wns(uri: phone.handle)
            default: .apns(deviceToken: phone.handle)
            }
        return Installation(
            id: phone.id,
            channel: channel,
            tags: try phone.tags.map { try Tag($0) },
            templates: [template(phone)]
        )
    }

    /// Returns the template of an app that shows the worker's properties in the subscriber's language.
    private static func template(_ phone: SimulatedPhone) -> InstallationTemplate {
        let headline = "$(headline_\(phone.language))"
        switch phone.platform {
        case .fcmv1:
            return InstallationTemplate(
                name: "news",
                body: #"{"message":{"data":{"title":"$(category)","body":"\#(headline)","kind":"$(kind)","#
                    + #""story":"$(story)","url":"$(url)","delivery":"$(delivery)","id":"$(id)"},"android":{"priority":"high","collapse_key":"$(collapse_id)","#
                    + #""ttl":"{$(ttl) + 's'}"}}}"#
            )
        case .wns:
            return InstallationTemplate(
                name: "news",
                body:
                    #"<toast launch="{$(url) + '#' + $(delivery) + ':' + $(id)}"><visual><binding template="ToastGeneric">"#
                    + "<text>{'ms-resource:' + $(category)}</text><text>\(headline)</text></binding></visual></toast>",
                headers: [NamedValue("X-WNS-Type", "wns/toast"), NamedValue("X-WNS-Tag", "$(collapse_id)")]
            )
        default:
            return InstallationTemplate(
                name: "news",
                body: #"{"aps":{"alert":{"title":"$(category)","body":"\#(headline)"},"mutable-content":1,"#
                    + #""thread-id":"$(story)"},"kind":"$(kind)","story":"$(story)","url":"$(url)","#
                    + #""delivery":"$(delivery)","id":"$(id)"}"#
            )
        }
    }

    private static func handle(_ index: Int, _ platform: PushPlatform) -> String {
        switch platform {
        case .fcmv1: "demo-\(index + 1):APA91b0123456789"
        case .wns: "https://wns2-par02p.notify.windows.com/?token=demo-\(index + 1)"
        default: String(repeating: "0", count: 62) + (index < 15 ? "0" : "") + String(index + 1, radix: 16)
        }
    }
}
