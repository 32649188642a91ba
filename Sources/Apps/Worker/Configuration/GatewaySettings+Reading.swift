import NotificationHubs

extension GatewaySettings {
    /// Reads the section `gateway`.
    init(_ section: ConfigurationSection) {
        self = .usual
        publishers = Self.names(section, "publishers")
        senders = Self.names(section, "senders")
        let bearer = section.section("bearer")
        self.bearer = Bearer(bearer, isGiven: section.node("bearer") != nil)
        let rate = section.section("rate")
        requestsPerUser = rate.integer("perUser", in: Self.rates)
        requestsPerAddress = rate.integer("perAddress", in: Self.rates)
        rate.reportUnknownKeys()
        maximumConnections = section.integer("connections", in: 1...100_000) ?? maximumConnections
        requestTimeout = section.positiveDuration("requestTimeout") ?? requestTimeout
        approvals = section.choice("approvals", of: Approvals.self) ?? approvals
        section.reportUnknownKeys()
    }

    private static func names(_ section: ConfigurationSection, _ key: String) -> Set<String>? {
        guard let names = section.texts(key) else { return nil }
        for name in names where !UserName.isValid(name) {
            section.report(key, "'\(name)' cannot be a user's name; write \(UserName.rule)")
        }
        return Set(names)
    }
}

extension GatewaySettings.Bearer {
    fileprivate init?(_ section: ConfigurationSection, isGiven: Bool) {
        let algorithm = section.choice("algorithm", of: GatewaySettings.Algorithm.self)
        let keyFile = section.text("keyFile")
        let issuer = section.text("issuer")
        let audience = section.text("audience")
        let userClaim = section.text("userClaim") ?? "sub"
        section.reportUnknownKeys()
        guard isGiven || algorithm != nil || keyFile != nil else { return nil }
        if algorithm == nil, !section.isGiven("algorithm") {
            section.report("algorithm", "is missing; name the one that tokens are signed with: HS256, RS256 or ES256")
        }
        if keyFile == nil { section.report("keyFile", "is missing; name the file with the secret or the public key") }
        guard let algorithm, let keyFile else { return nil }
        self.init(
            algorithm: algorithm,
            keyFile: keyFile,
            issuer: issuer,
            audience: audience,
            userClaim: userClaim
        )
    }
}
