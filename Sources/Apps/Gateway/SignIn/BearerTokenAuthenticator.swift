package import JWT
package import Timestamps

/// Signs in users by tokens of an issuer, the scheme `Bearer` (RFC 6750).
package struct BearerTokenAuthenticator: Authenticator {
    private let verifier: BearerTokenVerifier

    /// Makes an authenticator.
    ///
    /// - Parameter verifier: Knows algorithm, key, issuer and audience.
    package init(_ verifier: BearerTokenVerifier) {
        self.verifier = verifier
    }

    package func authenticate(_ authorization: String, now: Timestamp) async -> AuthenticationOutcome? {
        guard let token = authorization.afterScheme("Bearer") else { return nil }
        do throws(BearerTokenError) {
            let name = try verifier.verify(token, now: now).user
            // What no tag can carry can be no user here.
            guard let user = GatewayUser(name) else { return .refused(reason: "token_user_is_no_name") }
            return .user(user)
        } catch {
            return .refused(reason: error.code.rawValue)
        }
    }
}
