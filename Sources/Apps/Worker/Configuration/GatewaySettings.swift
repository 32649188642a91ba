/// What the section `gateway` says: who may do what at the application back end, and how much. The worker does not look at it.
package struct GatewaySettings: Sendable, Equatable {
    /// How a token may be signed; `none` is no choice.
    package enum Algorithm: String, Sendable, CaseIterable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// The source of the names in an event's `approvedBy`.
    package enum Approvals: String, Sendable, CaseIterable {
        /// The event itself.
        case given
        /// The users who have signed in and handed in the same event.
        case signedIn
    }

    /// Tokens that are taken beside passwords.
    package struct Bearer: Sendable, Equatable {
        /// The one algorithm; a token of another is refused.
        package var algorithm: Algorithm
        /// The secret of HS256, or the public key in PEM.
        package var keyFile: String
        /// Who has to have issued a token; `nil` for anyone with the key.
        package var issuer: String?
        /// For whom a token has to be; `nil` where tokens name none.
        package var audience: String?
        /// The claim with the user's name.
        package var userClaim: String
    }

    /// Who may write events; `nil` where nothing is said.
    package var publishers: Set<String>?
    /// Who may notify other users; `nil` where nothing is said.
    package var senders: Set<String>?
    package var bearer: Bearer?
    /// The requests a second that a configuration can allow.
    package static let rates = 1...1_000_000

    /// Requests a second of one user; `nil` where nothing is said.
    package var requestsPerUser: Int?
    /// Requests a second from one address, whoever signs in; `nil` where nothing is said.
    package var requestsPerAddress: Int?
    /// How many clients may be connected at once.
    package var maximumConnections: Int
    /// How long a request may take to come.
    package var requestTimeout: Duration
    /// The source of the names in an event's `approvedBy`.
    package var approvals: Approvals

    /// What holds where nothing is said.
    package static let usual = GatewaySettings(
        publishers: nil,
        senders: nil,
        bearer: nil,
        requestsPerUser: nil,
        requestsPerAddress: nil,
        maximumConnections: 5000,
        requestTimeout: .seconds(10),
        approvals: .given
    )
}

extension GatewaySettings.Bearer {
    /// Reads the file with the secret or the public key.
    ///
    /// - Returns: Its content; a secret without white space around it, as editors and `echo` leave it.
    /// - Throws: ``GatewayKeyError`` that names the file.
    package func readKey() throws(GatewayKeyError) -> [UInt8] {
        do {
            return try algorithm == .hs256 ? Array(FileContent.word(keyFile).utf8) : FileContent.read(keyFile)
        } catch {
            throw GatewayKeyError(description: "gateway.bearer.keyFile: \(keyFile) cannot be read: \(error)")
        }
    }
}

/// Why the key of bearer tokens cannot be read.
package struct GatewayKeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Names the file and the remedy; holds no key.
    package let description: String
}
