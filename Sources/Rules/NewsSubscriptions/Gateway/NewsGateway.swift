public import HTTPTransport
import NotificationHubsCore
import StrictJSON
public import Timestamps

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
        default: SubscriptionError(status: response.status, of: "the back end", headers: response.headers, now: now)
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
