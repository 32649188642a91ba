import NewsflashBasics
import NewsflashHTTPServer
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
        limits = Limits(
            perUser: Self.perSecond(rate, "perUser"),
            perAddress: Self.perSecond(rate, "perAddress"),
            wrongPerName: Self.limit(rate, "wrongPerName"),
            wrongPerAddress: Self.limit(rate, "wrongPerAddress"),
            sendsPerUser: Self.limit(rate, "sendsPerUser"),
            testsPerUser: Self.limit(rate, "testsPerUser"),
            devicesPerUser: Self.limit(rate, "devicesPerUser")
        )
        trustedProxies = Self.ranges(section, "trustedProxies")
        maximumConnections = section.integer("connections")
        if section.text("connectionsPerAddress") == "off" {
            connectionsPerAddress = nil
        } else {
            connectionsPerAddress = section.integer("connectionsPerAddress")
        }
        requestTimeout = section.duration("requestTimeout")
        approvals = section.choice("approvals", of: Approvals.self)
    }

    private static func isOff(_ section: ConfigurationSection, _ key: String) -> Bool {
        section.isGiven(key) && section.text(key) == "off"
    }

    /// Requests per second. A burst may contain the requests of five seconds.
    private static func perSecond(_ section: ConfigurationSection, _ key: String) -> Limit? {
        if isOff(section, key) { return .off }
        return section.integer(ifGiven: key).map { .rate(perSecond: Double($0), burst: 5 * Double($0)) }
    }

    /// A maximum count per time interval.
    private static func limit(_ section: ConfigurationSection, _ key: String) -> Limit? {
        isOff(section, key) ? .off : section.rate(key).map { Limit($0) }
    }

    private static func ranges(_ section: ConfigurationSection, _ key: String) -> [AddressRange] {
        (section.texts(key) ?? []).compactMap { text in
            let range = AddressRange(text)
            if range == nil {
                section.report(
                    key,
                    "'\(text)' is not an address range; write for example 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32, with no "
                        + "bit set after the prefix"
                )
            }
            return range
        }
    }

    private static func names(_ section: ConfigurationSection, _ key: String) -> Set<String>? {
        guard let names = section.texts(key) else { return nil }
        for name in names where !UserName.isValid(name) {
            section.report(key, "'\(name)' is not a valid user name; write \(UserName.rule)")
        }
        // Lower case, because the gateway's user names are not case-sensitive.
        return Set(names.map(\.lowercasedASCII))
    }
}

extension GatewaySettings.Bearer {
    fileprivate init?(_ section: ConfigurationSection, isGiven: Bool) {
        let algorithm = section.choice(ifGiven: "algorithm", of: GatewaySettings.Algorithm.self)
        let keyFile = section.text("keyFile")
        let issuer = section.text("issuer")
        let audience = section.text("audience")
        let userClaim = section.value("userClaim")
        let isForEver = section.isGiven("maximumLifetime") && section.text("maximumLifetime") == "off"
        let lifetime = isForEver ? nil : section.duration("maximumLifetime")
        guard isGiven || algorithm != nil || keyFile != nil else { return nil }
        if algorithm == nil, !section.isGiven("algorithm") {
            section.report(
                "algorithm",
                "is missing; write the algorithm that tokens are signed with: HS256, RS256, ES256 or EdDSA"
            )
        }
        if keyFile == nil { section.report("keyFile", "is missing; name the file with the issuer's keys") }
        guard let algorithm, let keyFile else { return nil }
        if algorithm != .hs256, !section.isGiven("issuer") {
            section.report(
                "algorithm",
                "needs the key issuer: many services share an issuer's public keys; write the value of the claim iss"
            )
        }
        if algorithm != .hs256, audience == nil {
            section.warn("audience", "is missing: a token issued for another service may sign in here")
        }
        self.init(
            algorithm: algorithm,
            keyFile: keyFile,
            issuer: issuer,
            audience: audience,
            userClaim: userClaim,
            maximumLifetime: lifetime
        )
    }
}
