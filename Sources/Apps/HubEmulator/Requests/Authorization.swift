import NewsflashTimestamps
import NotificationHubs

/// Checks whether the token of a request allows it.
///
/// Verified tokens are cached by their exact text, because a publisher uses the same token for most of an hour.
struct Authorization {
    private struct Known {
        var token: SharedAccessSignature
        var rule: AccessRule
        /// The last resource that the token was found to cover; usually also the next one.
        var host: String
        var path: String
    }

    private static let mostKnown = 256

    private let rules: [AccessRule]
    private var known: [String: Known] = [:]

    init(rules: [AccessRule]) {
        self.rules = rules
    }

    /// Checks the token and its claim.
    ///
    /// - Parameters:
    ///   - header: The value of `Authorization`.
    ///   - host: The host as the client addressed it.
    ///   - path: The path as sent.
    ///   - claim: The claim that the policy must have.
    ///   - own: The hub's own policies, in addition to those of the namespace.
    ///   - now: The current time.
    /// - Throws: 401 with the service's texts, or 403 without a body if the policy lacks the claim.
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
            // The policies of a hub and of the namespace have the same names.
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

    /// The service's text for a rejected token.
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
