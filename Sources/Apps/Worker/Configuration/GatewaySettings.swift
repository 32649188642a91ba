package import HTTPServer
import Publishing

/// The section `gateway`: who may do what at the application back end, and how much. The worker does not look at it.
package struct GatewaySettings: Sendable, Equatable {
    /// How a token may be signed; `none` is no choice.
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
        /// The users who have signed in and handed in the same event.
        case signedIn
    }

    /// Tokens that are taken beside passwords.
    package struct Bearer: Sendable, Equatable {
        /// The one algorithm; a token of another is refused.
        package var algorithm: Algorithm
        /// A set of keys in JSON, public keys in PEM, or the secret of HS256.
        package var keyFile: String
        /// The issuer of tokens; `nil` for anyone with the key.
        package var issuer: String?
        /// For whom a token must be; `nil` if tokens name nobody.
        package var audience: String?
        /// The claim with the user's name.
        package var userClaim: String
        /// The longest life of a token; `nil` for any.
        package var maximumLifetime: Duration?
    }

    /// How often something may happen.
    package enum Limit: Sendable, Equatable {
        case off
        /// The number per second on average, and at once after a quiet time.
        case rate(perSecond: Double, burst: Double)

        /// The number at once, and again in each period.
        init(_ rate: Rate) {
            let count = Double(rate.count)
            self = .rate(perSecond: count / (rate.per / .seconds(1)), burst: count)
        }
    }

    /// How often things may happen; `nil` if the configuration does not say.
    package struct Limits: Sendable, Equatable {
        /// Requests of one user.
        package var perUser: Limit?
        /// Requests from one address, whoever signs in.
        package var perAddress: Limit?
        /// Wrong passwords with one name from one address.
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

    /// The users who may write events; nobody if the configuration does not say.
    package var publishers: Set<String>?
    /// The users who may notify others; nobody if the configuration does not say.
    package var senders: Set<String>?
    package var bearer: Bearer?
    /// The requests a second that a configuration can allow.
    package static let rates = 1...1_000_000

    package var limits = Limits()
    /// The proxies whose word on a client's address is believed.
    package var trustedProxies: [AddressRange] = []
    /// How many clients may be connected at once.
    package var maximumConnections: Int
    /// The most connections from one address; `nil` for any number. Those of ``trustedProxies`` are not counted.
    package var connectionsPerAddress: Int?
    /// How long a request may take to come.
    package var requestTimeout: Duration
    /// The source of the names in an event's `approvedBy`.
    package var approvals: Approvals

    /// The settings without any key.
    package static let usual = GatewaySettings(
        publishers: nil,
        senders: nil,
        bearer: nil,
        maximumConnections: 5000,
        connectionsPerAddress: 1000,
        requestTimeout: .seconds(10),
        approvals: .given
    )
    /// The longest life of a token if the configuration does not say.
    package static let usualLifetime = Duration.seconds(86_400)
}

extension GatewaySettings.Bearer {
    /// Reads the file with the keys.
    ///
    /// - Returns: Its content; a secret without white space around it, as editors and `echo` leave it.
    /// - Throws: ``GatewayKeyError`` that names the file: also if others may write it, or read a secret.
    package func readKey() throws(GatewayKeyError) -> [UInt8] {
        do {
            let isSecret = algorithm == .hs256
            guard !FileContent.isOpen(keyFile, toReaders: isSecret) else {
                let what = isSecret ? "read or write it, and whoever has the secret can sign" : "write it"
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
    /// Names the file and the remedy; holds no key.
    package let description: String
}
