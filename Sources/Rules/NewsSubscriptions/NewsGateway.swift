public import NewsflashHTTPTransport
import NewsflashSigning
import NewsflashStrictJSON
public import NewsflashTimestamps
public import NotificationHubsCore

/// The application back end for a signed-in user: `newsflash gateway`, or one that was built like the tutorial.
///
/// Credentials are requested before each request and never stored, so that a new token or password applies at once.
///
/// ```swift
/// let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
///     try await session.credentials()
/// }
/// try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
/// ```
public struct NewsGateway: Sendable {
    /// The signed-in user.
    ///
    /// ```swift
    /// gateway.user                    // "anna"
    /// ```
    public let user: String
    /// The address without a slash at its end.
    let url: String
    let transport: any HTTPTransport
    private let clock: @Sendable () -> Timestamp
    private let credentials: @Sendable () async throws -> SignInCredentials

    /// Creates the gateway to a back end for a user.
    ///
    /// ```swift
    /// let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
    ///     .basic(user: "anna", password: try keychain.password(of: "anna"))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: `https://`, the host, and optionally port and path; `http://` only for this machine, because the password is
    ///     sent with each request.
    ///   - user: The signed-in user. Another user's device is another registration.
    ///   - transport: The transport of the requests; on Apple's platforms a `URLSessionTransport`.
    ///   - clock: Returns the current time.
    ///   - credentials: Returns the user's credentials; may throw if nobody is signed in.
    /// - Throws: ``SubscriptionError`` for an address that is invalid or not safe.
    public init(
        url: String,
        user: String,
        transport: any HTTPTransport,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        credentials: @escaping @Sendable () async throws -> SignInCredentials
    ) throws(SubscriptionError) {
        self.url = try GatewayAddress.checked(url)
        self.user = user
        self.transport = transport
        self.clock = clock
        self.credentials = credentials
    }

    /// The value of `Authorization`.
    func authorization() async throws(SubscriptionError) -> String {
        let credentials: SignInCredentials
        do {
            credentials = try await self.credentials()
        } catch {
            // The text of that error is dropped, because it may contain secrets.
            throw SubscriptionError(.signInNeeded, "nobody is signed in: ask the user to sign in, then try again")
        }
        guard let authorization = credentials.authorization else {
            throw SubscriptionError(
                .signInNeeded,
                "the credentials are invalid: a user's name must not contain a colon, a token must not contain blanks"
            )
        }
        return authorization
    }

    /// Sends a request with the user's credentials.
    func send(_ request: HTTPRequest) async throws(SubscriptionError) -> HTTPResponse {
        var request = request
        request.headers.append("Authorization", try await authorization())
        do throws(HTTPTransportError) {
            return try await transport.send(request)
        } catch {
            throw SubscriptionError(error, from: "the back end")
        }
    }

    /// The error for an unsuccessful response.
    func error(for response: HTTPResponse) -> SubscriptionError {
        Self.error(for: response, now: clock())
    }

    static func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        switch response.status {
        case 401:
            SubscriptionError(
                .signInNeeded,
                "the back end rejects the credentials (401): ask the user to sign in again"
            )
        case 403: SubscriptionError(.forbidden, "this user may not do this at the back end (403)")
        case 404:
            SubscriptionError(.notFound, "there is nothing at this address of the back end (404): check its URL")
        case 410:
            SubscriptionError(
                .gone,
                "the registration was dropped twice (410): try again later",
                isRetriable: true
            )
        default: SubscriptionError(response, of: "the back end", now: now)
        }
    }
}

/// The check of a back end's address.
enum GatewayAddress {
    static func checked(_ url: String) throws(SubscriptionError) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains(where: { "?#@\\\"<>".contains($0) })
        else {
            throw invalid
        }
        let lower = url.lowercased()
        if lower.hasPrefix("https://"), lower.utf8.count > 8 { return url }
        guard lower.hasPrefix("http://") else { throw invalid }
        let authority = lower.dropFirst(7).prefix { $0 != "/" }
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains { authority == $0 || authority.hasPrefix($0 + ":") }
        guard isHere else {
            throw SubscriptionError(
                .invalidValue,
                "the back end's address is http, so passwords would be sent unencrypted: write https"
            )
        }
        return url
    }

    private static let invalid = SubscriptionError(
        .invalidValue,
        "the back end's address is invalid: write https://, the host, and optionally a port and a path"
    )
}

extension NewsGateway {
    /// Sends a message to another user's devices. They show "From", the sender's name, a colon and the message.
    ///
    /// ```swift
    /// try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
    /// ```
    ///
    /// - Parameters:
    ///   - user: The recipient.
    ///   - message: The text.
    ///   - platform: The platform of the user's devices to notify: Apple's, Firebase's, or Windows'.
    /// - Returns: The response of the back end.
    /// - Throws: ``SubscriptionError``. Nothing is retried automatically, because the message could arrive twice.
    @discardableResult
    public func notify(
        user: String,
        message: String,
        on platform: PushPlatform
    ) async throws(SubscriptionError) -> NotifyAnswer {
        guard [.apns, .fcmv1, .gcm, .wns].contains(platform) else {
            throw SubscriptionError(.noTemplate, "the back end notifies users on apns, fcmv1, gcm and wns only")
        }
        guard UserName.isValid(user) else {
            throw SubscriptionError(.invalidValue, "a user's name must have \(UserName.rule)")
        }
        let query = "?pns=\(platform.rawValue)&to_tag=\(PercentEncoding.encode(user, uppercase: true))"
        return try await post("/api/notifications" + query, message)
    }

    /// Sends a greeting to all devices of the signed-in user. This older form of the tutorial is useful to check that pushes
    /// arrive.
    ///
    /// ```swift
    /// try await gateway.notifyMyself()
    /// ```
    ///
    /// - Returns: The response of the back end.
    /// - Throws: ``SubscriptionError``. Nothing is retried automatically.
    @discardableResult
    public func notifyMyself() async throws(SubscriptionError) -> NotifyAnswer {
        try await post("/api/notifications", nil)
    }

    private func post(_ path: String, _ message: String?) async throws(SubscriptionError) -> NotifyAnswer {
        var request = HTTPRequest(method: .post, url: url + path)
        if let message {
            var writer = JSONWriter()
            writer.value(message)
            request.headers.append("Content-Type", "application/json")
            request.body = writer.bytes
        }
        let response = try await send(request)
        guard (200...299).contains(response.status) else { throw error(for: response) }
        return NotifyAnswer(body: response.body)
    }
}

/// The response of the back end to a message that it has passed on.
///
/// ```swift
/// let answer = try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
/// if let outcome = answer.outcome { parser.parse(outcome) }
/// ```
public struct NotifyAnswer: Sendable, Equatable {
    /// The hub's outcome as an XML document, from back ends whose hub is configured for test sends.
    ///
    /// ```swift
    /// answer.outcome?.count           // nil if absent
    /// ```
    public let outcome: [UInt8]?

    init(body: [UInt8]) {
        let first = body.first { $0 > 0x20 }
        outcome = first == UInt8(ascii: "<") ? body : nil
    }
}

extension NewsGateway {
    /// Fetches the text of a secure push, because only a token passed through the push service.
    ///
    /// ```swift
    /// switch try await gateway.secureText(id: push.secureID, languages: [.portuguese, .english]) {
    /// case .found(let text): show(text.headline)
    /// case .withdrawn: remove(push)
    /// case .notFound: break
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The token in the push: its member `secureId`, or the property `id` of a template.
    ///   - languages: The subscriber's languages, the preferred first; empty for the newsroom's own.
    /// - Returns: The text, or the reason why this user gets none.
    /// - Throws: ``SubscriptionError``. It is ``SubscriptionError/isRetriable`` while the back end is still reading its
    ///   texts, or cannot tell yet whether the push was sent.
    public func secureText(
        id: String,
        languages: [NewsLanguage] = []
    ) async throws(SubscriptionError) -> SecureNotification {
        guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SubscriptionError(.invalidValue, "this is not the id of a secure push: use the id in the push")
        }
        let path = "/api/notifications/" + PercentEncoding.encode(id, uppercase: true)
        var request = HTTPRequest(method: .get, url: url + path)
        if !languages.isEmpty {
            request.headers.append("Accept-Language", languages.map(\.locale).joined(separator: ", "))
        }
        let response = try await send(request)
        switch response.status {
        case 200:
            guard let text = SecureText(json: response.body) else {
                throw SubscriptionError(
                    .unreadableAnswer,
                    "the response does not contain the text of a secure push: check the URL"
                )
            }
            return .found(text)
        case 404: return .notFound
        case 410: return .withdrawn
        default: throw error(for: response)
        }
    }
}

/// The result of fetching a secure push's text.
///
/// ```swift
/// if case .found(let text) = try await gateway.secureText(id: secureID) { show(text.headline) }
/// ```
public enum SecureNotification: Sendable, Equatable {
    /// The user may read it.
    case found(SecureText)
    /// The newsroom has withdrawn it: remove the notification from the screen.
    case withdrawn
    /// The token has no text for this user, or has expired.
    case notFound
}

/// The text of a secure push. Its description and its mirror do not contain the words.
///
/// ```swift
/// label.text = text.headline
/// ```
public struct SecureText: Sendable, Equatable {
    /// The id in the push: `text.id`.
    public let id: String
    /// The identifier that all revisions of a story share, to replace an older text on the screen: `shown[text.story] =
    /// text`.
    public let story: String
    /// The editorial act, such as `alert` or `correction`: `text.kind == "correction"`.
    public let kind: String
    /// The language of the text: `text.locale`.
    public let locale: String
    /// The news in one line: `label.text = text.headline`.
    public let headline: String
    /// The news in a few lines: `body.text = text.summary`.
    public let summary: String?
    /// The link to the full story: `text.url.map(open)`.
    public let url: String?
    /// The link to a picture: `text.image.map(load)`.
    public let image: String?
    /// The time at which the newsroom published it: `text.published?.rfc3339`.
    public let published: Timestamp?

    /// Reads the back end's response; `nil` if a required member is missing.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONReader.read(bytes, maximumDepth: 8),
            let id = json[member: "id"]?.string, let headline = json[member: "headline"]?.string
        else { return nil }
        self.id = id
        self.headline = headline
        story = json[member: "story"]?.string ?? ""
        kind = json[member: "kind"]?.string ?? ""
        locale = json[member: "locale"]?.string ?? ""
        summary = json[member: "summary"]?.string
        url = json[member: "url"]?.string
        image = json[member: "image"]?.string
        published = (json[member: "published"]?.string).flatMap { Timestamp(rfc3339: $0) }
    }
}

extension SecureText: CustomStringConvertible, CustomReflectable {
    /// The type and the id, without the words.
    public var description: String { "SecureText(\(id))" }
    /// A mirror with only the id.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// The credentials of a user. Their description and mirror do not contain the secret, and this library never stores them.
///
/// ```swift
/// SignInCredentials.bearer(token: session.accessToken)
/// ```
public enum SignInCredentials: Sendable {
    /// Name and password, as in the tutorial: `.basic(user: "anna", password: field.text)`.
    case basic(user: String, password: String)
    /// A token of OAuth or a similar scheme: `.bearer(token: session.accessToken)`.
    case bearer(token: String)

    /// The value of `Authorization`; `nil` if a header cannot contain it, or if the name could be mistaken for another's.
    var authorization: String? {
        switch self {
        case .basic(let user, let password):
            guard !user.isEmpty, !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
            return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        case .bearer(let token):
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            return "Bearer " + token
        }
    }
}

extension SignInCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme without the secret.
    public var description: String {
        switch self {
        case .basic: "Basic <redacted>"
        case .bearer: "Bearer <redacted>"
        }
    }
    /// The scheme without the secret.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
