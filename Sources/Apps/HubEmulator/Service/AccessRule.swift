import NewsflashSigning
package import NotificationHubs

/// A shared access policy: the holder of its key may do what its claims allow.
package struct AccessRule: Sendable, Equatable {
    /// The policy's name; may contain spaces.
    package var name: String
    /// The policy's key.
    package var key: SharedAccessKey
    /// The operations that it allows.
    package var claims: Set<Claim>

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - key: The policy's key.
    ///   - claims: The operations that it allows.
    package init(name: String, key: SharedAccessKey, claims: Set<Claim>) {
        self.name = name
        self.key = key
        self.claims = claims
    }

    /// Parses a rule in the form of the command line: `NAME=KEY:Listen,Send,Manage`. Returns `nil` if the form is wrong.
    ///
    /// - Parameter text: The name ends at the first `=`, the key at the last `:`.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let colon = text.lastIndex(of: ":"), equals < colon else {
            return nil
        }
        let name = text[..<equals]
        let key = text[text.index(after: equals)..<colon]
        let claims = text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
            .map { word in Claim.allCases.first { $0.rawValue.lowercased() == word.lowercased() } }
        guard !name.isEmpty, !key.isEmpty, claims.allSatisfy({ $0 != nil }) else { return nil }
        self.init(name: String(name), key: SharedAccessKey(String(key)), claims: Set(claims.compactMap(\.self)))
    }

    /// The two rules of every new hub, with new random keys.
    static func defaults() -> [AccessRule] {
        [
            AccessRule(name: "DefaultFullSharedAccessSignature", key: randomKey(), claims: Set(Claim.allCases)),
            AccessRule(name: "DefaultListenSharedAccessSignature", key: randomKey(), claims: [.listen]),
        ]
    }

    /// A rule with all claims and a new random key, for the tokens of the console.
    static func console() -> AccessRule {
        AccessRule(name: "newsflash-console", key: randomKey(), claims: Set(Claim.allCases))
    }

    private static func randomKey() -> SharedAccessKey {
        SharedAccessKey(Base64.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) }))
    }
}

/// A permission of a policy.
package enum Claim: String, Sendable, CaseIterable {
    /// Single registrations and installations.
    case listen = "Listen"
    /// Sends.
    case send = "Send"
    /// The hub itself and lists of registrations.
    case manage = "Manage"
}
