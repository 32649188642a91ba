import NewsflashBasics
package import NewsflashHTTPServer
package import NewsflashJWT
package import NewsflashTimestamps

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

extension GatewayUser {
    /// Creates the user for a name from an issuer of tokens.
    ///
    /// - Parameter name: The issuer's name. Bytes that are not allowed in a user's name, and `#`, become `#` and two
    ///   hexadecimal
    ///   digits, so that different names stay different: `auth0|7` becomes `auth0#7c7`.
    package init?(issuersName name: String) {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if byte.isLetterOrDigit || "_@.-".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "#"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}
