package import HTTPServer
package import JWT
package import Timestamps

/// Signs in users by tokens of an issuer, with the scheme `Bearer` (RFC 6750).
///
/// A token that the issuer signed never counts as a wrong sign-in, even if it is invalid for another reason: it is not a guess.
package struct BearerTokenAuthenticator: Authenticator {
    private let verifier: @Sendable () -> BearerTokenVerifier
    private let wrongSignIns: WrongSignIns

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - wrongSignIns: Counts tokens that the issuer did not sign.
    ///   - verifier: Returns the verifier with the current keys, algorithm, issuer and audience; called for each token.
    package init(_ wrongSignIns: WrongSignIns, verifier: @escaping @Sendable () -> BearerTokenVerifier) {
        self.verifier = verifier
        self.wrongSignIns = wrongSignIns
    }

    package func authenticate(
        _ authorization: String,
        from client: ClientAddress?,
        now: Timestamp
    ) async -> AuthenticationOutcome? {
        guard let token = authorization.afterScheme("Bearer") else { return nil }
        do throws(BearerTokenError) {
            let name = try verifier().verify(token, now: now).user
            guard let user = GatewayUser(issuersName: name) else { return .refused(reason: "token_user_is_no_name") }
            return .user(user)
        } catch {
            guard !error.code.isWellSigned, let wait = wrongSignIns.countAttempt(of: nil, from: client, now: .now)
            else {
                return .refused(reason: error.code.rawValue)
            }
            return .throttled(after: wait)
        }
    }
}
