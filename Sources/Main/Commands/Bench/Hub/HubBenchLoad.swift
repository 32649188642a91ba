import HTTPTransport
import HubEmulator
import NotificationHubs
import Timestamps

/// What the hub is measured with: devices as a news app registers them, and sends to a few of them.
struct HubBenchLoad {
    /// How many devices a send reaches.
    static let targets = 10
    private static let hubName = "newsroom"
    private static let categories = ["world", "politics", "business", "technology", "science", "sports"]
    private static let locales = ["en", "fr", "de", "es", "ja", "ar"]

    private let client: HubClient
    private let connection: HubConnectionString
    private let message: HubMessage
    private let audience: HubAudience
    /// Everyone, found by the languages that all devices have one of.
    private let readers: HubAudience

    /// Makes the load of a hub that listens.
    ///
    /// - Parameter connectionString: With a rule that may do everything.
    /// - Throws: ``CommandError``, which only a mistake here can cause.
    init(connectionString: String) throws(CommandError) {
        do {
            connection = try HubConnectionString(connectionString)
            client = try HubClient(connection: connection, hub: Self.hubName)
            message = try HubMessage.template(
                properties: Self.locales.flatMap { locale in
                    [
                        ("title_\(locale)", "Talks end without a result after three days"),
                        ("body_\(locale)", "Delegates left the building shortly before midnight. No date was named."),
                    ]
                }
            )
            audience = .tags(TagExpression(try Tag("few")))
            let languages = Self.locales.map { "locale:\($0)" }.joined(separator: " || ")
            readers = .tags(try TagExpression(parsing: languages))
        } catch {
            throw CommandError(.internalError, "\(error)")
        }
    }

    /// One send, as it comes from a network.
    ///
    /// - Parameter everyone: Whether all devices are meant, not only a few.
    /// - Returns: With a token.
    /// - Throws: ``CommandError``, which only a mistake here can cause.
    func send(toEveryone everyone: Bool = false) throws(CommandError) -> HTTPRequest {
        do throws(HubError) {
            return try client.request(for: message, to: everyone ? .broadcast : audience)
        } catch {
            throw CommandError(.internalError, error.description)
        }
    }

    /// One send that every device is found for by its tags.
    ///
    /// - Returns: With a token.
    /// - Throws: ``CommandError``, which only a mistake here can cause.
    func sendToReaders() throws(CommandError) -> HTTPRequest {
        do throws(HubError) {
            return try client.request(for: message, to: readers)
        } catch {
            throw CommandError(.internalError, error.description)
        }
    }

    /// The request that registers a device: every other one Apple's, with a language and two of the categories, and with
    /// one of twelve templates.
    ///
    /// - Parameters:
    ///   - number: From 0; the first ``targets`` are those that a send reaches.
    ///   - token: From ``token()``.
    /// - Returns: Ready to be answered.
    /// - Throws: ``CommandError``, which only a mistake here can cause.
    func registration(_ number: Int, token: String) throws(CommandError) -> EmulatedRequest {
        let locale = Self.locales[number / 2 % Self.locales.count]
        let categories = [number / 12, number / 12 + 1 + number / 72 % 5].map {
            Self.categories[$0 % Self.categories.count]
        }
        let digits = String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63, radix: 16)
        let handle = String(repeating: digits, count: 4)
        let isApple = number % 2 == 0
        let text = #"{"title":"$(title_\#(locale))","body":"$(body_\#(locale))"}"#
        do {
            let description = RegistrationDescription(
                channel: isApple ? .apns(deviceToken: handle) : .fcmv1(registrationID: "bench:" + handle),
                tags: try
                    (["locale:\(locale)"] + categories.map { "breaking:\($0)" }
                    + (number < Self.targets ? ["few"] : [])).map { try Tag($0) },
                template: TemplateDescription(
                    name: "news",
                    body: isApple
                        ? #"{"aps":{"alert":\#(text)}}"# : #"{"message":{"notification":\#(text)}}"#
                )
            )
            return EmulatedRequest(
                method: "POST",
                target: "/\(Self.hubName)/registrations?api-version=2020-06",
                headers: [
                    .init("Host", connection.endpoint.authority), .init("Authorization", token),
                    .init("Content-Type", "application/atom+xml;type=entry;charset=utf-8"),
                ],
                body: try RegistrationXML.request(description)
            )
        } catch {
            throw CommandError(.internalError, "registration \(number) of the bench cannot be written: \(error)")
        }
    }

    /// A token that outlasts the bench.
    func token() -> String {
        SharedAccessSignature(
            resource: SharedAccessSignature.resource(forURL: client.hubURL),
            expiry: Timestamp.now().seconds + 86_400,
            keyName: connection.keyName,
            key: connection.key
        ).headerValue
    }
}

extension EmulatedRequest {
    /// What arrives when a client sends a request.
    ///
    /// - Parameters:
    ///   - request: To a hub.
    ///   - base: What the addresses of the hub begin with, without a slash at the end.
    init(_ request: HTTPRequest, base: String) {
        var headers = request.headers
        headers.append("Host", String(base.split(separator: "/").last ?? ""))
        self.init(
            method: request.method.rawValue,
            target: String(request.url.dropFirst(base.count)),
            headers: headers,
            body: request.body
        )
    }
}
