import NewsflashCommands
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashOperations
import NewsflashTimestamps
import NotificationHubs

/// The load of a hub benchmark: devices as a news app registers them, and sends to a few of them.
struct HubBenchLoad {
    /// The number of devices that a send reaches.
    static let targets = 10
    private static let hubName = "newsroom"
    private static let categories = ["world", "politics", "business", "technology", "science", "sports"]
    private static let locales = ["en", "fr", "de", "es", "ja", "ar"]

    private let client: HubClient
    private let connection: HubConnectionString
    private let message: HubMessage
    private let audience: HubAudience
    /// All devices: a tag expression over all languages, because each device has one of them.
    private let readers: HubAudience

    /// Creates the load for a running hub.
    ///
    /// - Parameter connectionString: A connection string with all rights.
    /// - Throws: ``OperationError`` if the benchmark itself has a bug.
    init(connectionString: String) throws(OperationError) {
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
            throw OperationError(.internalError, "\(error)")
        }
    }

    /// Returns a send to a few devices or to all.
    ///
    /// - Parameter everyone: Whether the send is a broadcast to all devices.
    /// - Returns: The request with a token.
    /// - Throws: ``OperationError`` if the benchmark itself has a bug.
    func send(toEveryone everyone: Bool = false) throws(OperationError) -> HTTPRequest {
        do throws(HubError) {
            return try client.request(for: message, to: everyone ? .broadcast : audience)
        } catch {
            throw OperationError(.internalError, error.description)
        }
    }

    /// Returns a send whose tag expression matches every device.
    ///
    /// - Returns: The request with a token.
    /// - Throws: ``OperationError`` if the benchmark itself has a bug.
    func sendToReaders() throws(OperationError) -> HTTPRequest {
        do throws(HubError) {
            return try client.request(for: message, to: readers)
        } catch {
            throw OperationError(.internalError, error.description)
        }
    }

    /// Returns the request that registers a device. Devices alternate between Apple and FCM, and have a language, two
    /// categories and one of twelve templates.
    ///
    /// - Parameters:
    ///   - number: The number of the device, from 0; the first ``targets`` are those that a send reaches.
    ///   - token: A token from ``token()``.
    /// - Returns: The request for the emulator.
    /// - Throws: ``OperationError`` if the benchmark itself has a bug.
    func registration(_ number: Int, token: String) throws(OperationError) -> EmulatedRequest {
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
            throw OperationError(.internalError, "registration \(number) of the bench cannot be encoded: \(error)")
        }
    }

    /// Returns a token that is valid for a day.
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
    /// Converts a client's request to the form in which the emulator receives it.
    ///
    /// - Parameters:
    ///   - request: A request to a hub.
    ///   - base: The base URL of the hub, without a trailing slash.
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
