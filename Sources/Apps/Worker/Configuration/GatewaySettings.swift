package import NewsflashHTTPServer
import NewsflashPublishing

/// The section `gateway`: permissions and limits of the application back end. The worker does not use it.
package struct GatewaySettings: Sendable, Equatable {
    /// The signature algorithm of tokens; `none` is not allowed.
    package enum Algorithm: String, Sendable, CaseIterable {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case eddsa = "EdDSA"
    }

    /// The source of the names in an event's `approvedBy`.
    package enum Approvals: String, Sendable, CaseIterable {
        /// The event itself.
        case given
        /// The users who have signed in and submitted the same event.
        case signedIn
    }

    /// Tokens that are accepted in addition to passwords.
    package struct Bearer: Sendable, Equatable {
        /// The only algorithm; a token with another one is rejected.
        package var algorithm: Algorithm
        /// A JSON key set, public keys in PEM, or the secret of HS256.
        package var keyFile: String
        /// The required issuer of tokens; `nil` to accept any issuer that signs with the key.
        package var issuer: String?
        /// The required audience of tokens; `nil` if tokens have none.
        package var audience: String?
        /// The claim with the user's name.
        package var userClaim: String
        /// The longest lifetime of a token; `nil` if unlimited.
        package var maximumLifetime: Duration?
    }

    /// A rate limit.
    package enum Limit: Sendable, Equatable {
        case off
        /// The average number per second, and the number allowed at once after a quiet time.
        case rate(perSecond: Double, burst: Double)

        /// Allows `rate.count` at once, and the same number again in each period.
        init(_ rate: Rate) {
            let count = Double(rate.count)
            self = .rate(perSecond: count / (rate.per / .seconds(1)), burst: count)
        }
    }

    /// The rate limits; `nil` for one that is not configured.
    package struct Limits: Sendable, Equatable {
        /// Requests of one user.
        package var perUser: Limit?
        /// Requests from one address, regardless of the user.
        package var perAddress: Limit?
        /// Wrong passwords for one name from one address.
        package var wrongPerName: Limit?
        /// Wrong passwords and wrongly signed tokens from one address.
        package var wrongPerAddress: Limit?
        /// Messages of one user who is not among the senders.
        package var sendsPerUser: Limit?
        /// Test sends of one user.
        package var testsPerUser: Limit?
        /// Registrations and installations that one user writes.
        package var devicesPerUser: Limit?
    }

    /// The users who may publish events; nobody if not configured.
    package var publishers: Set<String>?
    /// The users who may send notifications to others; nobody if not configured.
    package var senders: Set<String>?
    package var bearer: Bearer?
    /// The configurable range of requests per second.
    package static let rates = 1...1_000_000

    package var limits = Limits()
    /// The proxies that are trusted to state a client's address.
    package var trustedProxies: [AddressRange] = []
    /// The maximum number of simultaneous connections.
    package var maximumConnections: Int
    /// The maximum number of connections from one address; `nil` if unlimited. ``trustedProxies`` are exempt.
    package var connectionsPerAddress: Int?
    /// The time limit for receiving a request.
    package var requestTimeout: Duration
    /// The source of the names in an event's `approvedBy`.
    package var approvals: Approvals

    /// The settings if no key is set.
    package static let usual = GatewaySettings(
        publishers: nil,
        senders: nil,
        bearer: nil,
        maximumConnections: 5000,
        connectionsPerAddress: 1000,
        requestTimeout: .seconds(10),
        approvals: .given
    )
}

extension GatewaySettings.Bearer {
    /// Reads the file with the keys.
    ///
    /// - Returns: The content of the file. A secret is returned without surrounding white space, which editors and `echo`
    ///   leave.
    /// - Throws: ``GatewayKeyError`` that names the file, also if others may write it or, for a secret, read it.
    package func readKey() throws(GatewayKeyError) -> [UInt8] {
        do {
            let isSecret = algorithm == .hs256
            guard !FileContent.isOpen(keyFile, toReaders: isSecret) else {
                let what = isSecret ? "read or write it, and anyone with the secret can sign" : "write it"
                throw GatewayKeyError(
                    description: "gateway.bearer.keyFile: others may \(what): 'chmod o-rwx,g-w \(keyFile)'"
                )
            }
            return try isSecret ? Array(FileContent.word(keyFile).utf8) : FileContent.read(keyFile)
        } catch let error as GatewayKeyError {
            throw error
        } catch {
            throw GatewayKeyError(description: "gateway.bearer.keyFile: \(keyFile) cannot be read: \(error)")
        }
    }
}

/// Why the key of bearer tokens cannot be read.
package struct GatewayKeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file and the remedy, never the key.
    package let description: String
}
