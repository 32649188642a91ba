package import HTTPServer
package import Timestamps

/// Tells who sends a request, by one scheme of the `Authorization` header.
package protocol Authenticator: Sendable {
    /// Looks at credentials.
    ///
    /// - Parameters:
    ///   - authorization: The header's value as sent.
    ///   - client: The address that the request comes from.
    ///   - now: The present time.
    /// - Returns: Who it is, or why nobody; nothing where the credentials are of another scheme: then the next authenticator
    ///   is asked.
    func authenticate(
        _ authorization: String,
        from client: ClientAddress?,
        now: Timestamp
    ) async -> AuthenticationOutcome?
}

/// What came of looking at credentials.
package enum AuthenticationOutcome: Sendable, Equatable {
    /// They are right.
    case user(GatewayUser)
    /// They are not; the label is for the log and never says more to the client than another.
    case refused(reason: String)
    /// Too many were wrong from there: ask again after this time.
    case throttled(after: Duration)
    /// There is no room to look at them now: ask again later.
    case overloaded
}
