public import HTTPTransport
import NotificationHubsCore
import StrictJSON
public import Timestamps

/// The application back end, as a signed-in user sees it: `newsflash gateway`, or one that was built after the tutorial.
///
/// Credentials are asked for before each request and kept nowhere, so that a new token or password counts at once.
///
/// ```swift
/// let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
///     try await session.credentials()
/// }
/// try await gateway.notify(user: "ben", message: "Lunch?", on: .apns)
/// ```
public struct NewsGateway: Sendable {
    /// Who has signed in.
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

    /// Names a back end and its user.
    ///
    /// ```swift
    /// let gateway = try NewsGateway(url: "https://push.example.org", user: "anna", transport: transport) {
    ///     .basic(user: "anna", password: try keychain.password(of: "anna"))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - url: `https://`, then host, perhaps port and path; `http://` for this machine only, since the password travels
    ///     with each request.
    ///   - user: Who has signed in. Another user's device is another registration.
    ///   - transport: Carries the requests; on Apple's platforms a `URLSessionTransport`.
    ///   - clock: Tells the present instant.
    ///   - credentials: Gives what to sign in with; may throw when nobody has signed in.
    /// - Throws: ``SubscriptionError`` for an address that is none, or that is not safe.
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
            // Its text is not ours to know safe.
            throw SubscriptionError(.signInNeeded, "nobody has signed in: ask the user to, then try again")
        }
        guard let authorization = credentials.authorization else {
            throw SubscriptionError(
                .signInNeeded,
                "the credentials cannot stand in a request: a user's name has no colon, a token no blanks"
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

    /// Why an answer is no success.
    func error(for response: HTTPResponse) -> SubscriptionError {
        Self.error(for: response, now: clock())
    }

    static func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError {
        switch response.status {
        case 401:
            SubscriptionError(
                .signInNeeded,
                "the back end does not take the credentials (401): ask the user to sign in again"
            )
        case 403: SubscriptionError(.forbidden, "the back end says that this user may not do this (403)")
        case 404:
            SubscriptionError(.notFound, "there is nothing at this address of the back end (404): look at its URL")
        case 410:
            SubscriptionError(
                .gone,
                "the registration was given up twice (410): try again later",
                isRetriable: true
            )
        default: SubscriptionError(status: response.status, of: "the back end", headers: response.headers, now: now)
        }
    }
}

/// The rule for a back end's address.
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
                "the back end's address is http: passwords would travel in the clear, so write https"
            )
        }
        return url
    }

    private static let invalid = SubscriptionError(
        .invalidValue,
        "the back end's address is none: write https://, the host, and perhaps a port and a path"
    )
}
