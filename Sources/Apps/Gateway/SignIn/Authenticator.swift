package import HTTPServer
package import Timestamps

/// Identifies the user of a request, by one scheme of the `Authorization` header.
package protocol Authenticator: Sendable {
    /// Checks credentials.
    ///
    /// - Parameters:
    ///   - authorization: The header's value as sent.
    ///   - client: The address of the client.
    ///   - now: The current time.
    /// - Returns: The user or the reason of a failure; `nil` if the credentials belong to another scheme, so that the next
    ///   authenticator is asked.
    func authenticate(
        _ authorization: String,
        from client: ClientAddress?,
        now: Timestamp
    ) async -> AuthenticationOutcome?
}

/// The result of a check of credentials.
package enum AuthenticationOutcome: Sendable, Equatable {
    /// The credentials are right.
    case user(GatewayUser)
    /// The credentials are wrong. The reason is a label for the log; the response to the client never shows it.
    case refused(reason: String)
    /// Too many wrong sign-ins from the address; retry after this time.
    case throttled(after: Duration)
    /// Too many checks are waiting; retry later.
    case overloaded
}
