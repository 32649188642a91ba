import NotificationHubs
import Timestamps

/// Says whether a request's token lets it in.
///
/// Remembers tokens that were verified, by their exact text, since a publisher sends the same one for most of an hour.
struct Authorization {
    private struct Known {
        var token: SharedAccessSignature
        var rule: AccessRule
        /// The last resource found to be covered; nearly always that of the next request too.
        var host: String
        var path: String
    }

    private static let mostKnown = 256

    private let rules: [AccessRule]
    private var known: [String: Known] = [:]

    init(rules: [AccessRule]) {
        self.rules = rules
    }

    /// Checks the token and the claim.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`.
    ///   - host: As the client knows it.
    ///   - path: As sent.
    ///   - claim: What the policy must allow.
    ///   - own: The hub's own policies, beside those of the namespace.
    ///   - now: The present instant.
    /// - Throws: 401 with the service's texts, or 403 without a body for a claim that the policy lacks.
    mutating func check(
        header: String?,
        host: String,
        path: String,
        claim: Claim,
        ofHub own: [AccessRule] = [],
        now: Timestamp
    ) throws(HubFailure) {
        let rule: AccessRule
        do throws(HubFailure) {
            rule = try self.rule(header: header, host: host, path: path, now: now)
        } catch {
            // A hub's policies and the namespace's have the same names.
            guard !own.isEmpty else { throw error }
            rule = try Self.verify(header: header, host: host, path: path, rules: own, now: now).1
        }
        guard rule.claims.contains(claim) else {
            throw HubFailure(403, reason: "the policy '\(rule.name)' does not have the claim \(claim.rawValue)")
        }
    }

    private mutating func rule(
        header: String?,
        host: String,
        path: String,
        now: Timestamp
    ) throws(HubFailure) -> AccessRule {
        if let header, var entry = known[header] {
            guard !entry.token.isExpired(at: now) else {
                known[header] = nil
                throw Self.failure(SharedAccessSignatureError.expired)
            }
            if entry.path == path, entry.host == host { return entry.rule }
            guard entry.token.covers(host: host, path: path) else {
                throw Self.failure(SharedAccessSignatureError.otherResource)
            }
            entry.host = host
            entry.path = path
            known[header] = entry
            return entry.rule
        }
        let (token, rule) = try Self.verify(header: header, host: host, path: path, rules: rules, now: now)
        if let header {
            if known.count >= Self.mostKnown { known.removeAll() }
            known[header] = Known(token: token, rule: rule, host: host, path: path)
        }
        return rule
    }

    private static func verify(
        header: String?,
        host: String,
        path: String,
        rules: [AccessRule],
        now: Timestamp
    ) throws(HubFailure) -> (SharedAccessSignature, AccessRule) {
        do throws(SharedAccessSignatureError) {
            let (token, keyName) = try SharedAccessSignature.verify(header: header, host: host, path: path, now: now) {
                name in rules.first { $0.name == name }?.key
            }
            if let rule = rules.first(where: { $0.name == keyName }) { return (token, rule) }
        } catch {
            throw Self.failure(error)
        }
        throw Self.failure(SharedAccessSignatureError.unknownKeyName)
    }

    private static func failure(_ error: SharedAccessSignatureError) -> HubFailure {
        var failure = failure(error.code)
        failure.reason = error.message
        return failure
    }

    /// The service's words for a token that lets nobody in.
    static func failure(_ code: SharedAccessSignatureError.Code) -> HubFailure {
        let text =
            switch code {
            case .missing: "MissingToken: The authorization header was not found."
            case .expired: "ExpiredToken: ."
            case .otherResource: "InvalidAudience: The authorization header was made for another resource."
            case .malformed:
                "MalformedToken: The credentials contained in the authorization header are not in the WRAP format."
            default: "InvalidSignature: The token has an invalid signature."
            }
        return HubFailure(401, text)
    }
}
