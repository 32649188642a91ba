extension ConfigurationTable {
    /// The gateway, reloads, secure events and the log.
    static let gateway: [ConfigurationRow] = [
        .group(
            "gateway",
            definition: "gateway",
            """
            The settings of `newsflash gateway`, the application back end that apps sign in to, in addition to its \
            options. The worker ignores them.
            """
        ),
        .key(
            "gateway.publishers",
            .form(.userNames),
            standard: .derived("nobody"),
            reload: .setting,
            example: "[desk]",
            "The users who may write events."
        ),
        .key(
            "gateway.senders",
            .form(.userNames),
            standard: .derived("nobody"),
            reload: .setting,
            example: "[desk]",
            "The users who may notify others."
        ),
        .key(
            "gateway.approvals",
            .choice(["given", "signedIn"]),
            standard: .value("given"),
            reload: .setting,
            """
            The names in an event's approvedBy. given: those in the event. signedIn: those of the users who have \
            signed in and handed in the same event at the same gateway within policy.approvalWait; the gateway then \
            writes the event in newsflash's own format.
            """
        ),
        .group(
            "gateway.bearer",
            constraints: #"""
                {"if": {"properties": {"algorithm": {"const": "HS256"}}}, "else": {"required": ["issuer"]}}
                """#,
            """
            Tokens (JWT) in addition to passwords. A token must expire (exp). A token with another algorithm is \
            refused.
            """
        ),
        .key(
            "gateway.bearer.algorithm",
            .choice(["HS256", "RS256", "ES256", "EdDSA"]),
            standard: .required,
            reload: .setting,
            example: "RS256",
            "The algorithm that tokens are signed with: HS256, RS256, ES256 or EdDSA."
        ),
        .key(
            "gateway.bearer.keyFile",
            .form(.path),
            standard: .required,
            reload: .setting,
            namesSecret: true,
            example: "/run/secrets/issuer/jwks.json",
            """
            The issuer's keys: a JSON Web Key Set, one or several public keys in PEM, or the secret of HS256 with at \
            least 32 bytes. The file is read again when it changes.
            """
        ),
        .key(
            "gateway.bearer.issuer",
            .text(1...Int.max),
            standard: .derived("any that has the secret"),
            reload: .setting,
            example: "https://id.example.org",
            """
            The required issuer of a token (iss). Mandatory with RS256, ES256 and EdDSA. Without it, any issuer that \
            has the secret is accepted.
            """
        ),
        .key(
            "gateway.bearer.audience",
            .text(1...Int.max),
            reload: .setting,
            example: "newsflash",
            "The required audience of a token (aud). Without it, tokens that name an audience are refused."
        ),
        .key(
            "gateway.bearer.userClaim",
            .text(1...Int.max),
            standard: .value("sub"),
            reload: .setting,
            """
            The claim with the user's name, such as sub or preferred_username. Case is ignored, and characters other \
            than letters, digits and _ @ . - become # and two hexadecimal digits.
            """
        ),
        .key(
            "gateway.bearer.maximumLifetime",
            .durationOrOff,
            standard: .value("1d"),
            reload: .setting,
            "The longest time from a token's iat, or from now if it has none, to its exp; off for any."
        ),
        .key(
            "gateway.trustedProxies",
            .form(.addressRanges),
            reload: .setting,
            example: "[10.0.0.0/8]",
            """
            Addresses and ranges of the proxies in front of the gateway. If a request comes from one, the client's \
            address is read from Forwarded (RFC 7239) or X-Forwarded-For, from the right, up to the first address \
            that is not in the list.
            """
        ),
        .group(
            "gateway.rate",
            """
            Limits for users and addresses; off for none. An address is an IPv4 address or a /64 of IPv6. On a \
            loopback address without TLS and without trustedProxies only wrongPerName has a default.
            """
        ),
        .key(
            "gateway.rate.perUser",
            .numberOrOff(1...1_000_000),
            standard: .derived("20"),
            reload: .setting,
            example: "20",
            "Requests of one user per second; up to five seconds' worth may come at once."
        ),
        .key(
            "gateway.rate.perAddress",
            .numberOrOff(1...1_000_000),
            standard: .derived("100"),
            reload: .setting,
            example: "100",
            """
            Requests from one address per second, whichever user signs in; up to five seconds' worth may come at \
            once.
            """
        ),
        .key(
            "gateway.rate.wrongPerName",
            .form(.budget),
            standard: .derived("10 per minute"),
            reload: .setting,
            example: "10 per minute",
            "Wrong passwords with one name from one address."
        ),
        .key(
            "gateway.rate.wrongPerAddress",
            .form(.budget),
            standard: .derived("300 per minute"),
            reload: .setting,
            example: "300 per minute",
            "Wrong passwords and wrongly signed tokens from one address."
        ),
        .key(
            "gateway.rate.sendsPerUser",
            .form(.budget),
            standard: .derived("60 per minute"),
            reload: .setting,
            example: "60 per minute",
            "Notifications of one user who is not among the senders."
        ),
        .key(
            "gateway.rate.testsPerUser",
            .form(.budget),
            standard: .derived("5 per minute"),
            reload: .setting,
            example: "5 per minute",
            "Test sends of one user."
        ),
        .key(
            "gateway.rate.devicesPerUser",
            .form(.budget),
            standard: .derived("120 per hour"),
            reload: .setting,
            example: "120 per hour",
            "Registrations and installations that one user writes."
        ),
        .key(
            "gateway.connections",
            .number(1...100_000),
            standard: .value("5000"),
            reload: .setting,
            "The maximum number of open connections."
        ),
        .key(
            "gateway.connectionsPerAddress",
            .numberOrOff(1...100_000),
            standard: .value("1000"),
            reload: .setting,
            """
            The maximum number of open connections from one address, or from one /64 of IPv6; a further one is \
            closed at once. Connections from trustedProxies are not counted, because they carry the requests of all \
            clients. off for any number.
            """
        ),
        .key(
            "gateway.requestTimeout",
            .positiveDuration,
            standard: .value("10s"),
            reload: .setting,
            "How long receiving a request may take."
        ),
        .group(
            "reload",
            definition: "reload",
            """
            The reload of a changed file without a restart, by SIGHUP or `newsflash reload`: the latest events are \
            planned with the current and the new rules. If few enough differ, the new rules are applied; otherwise \
            they are dropped, and the events are named. If a change needs a restart, it is named, and no change of \
            the file is applied. Options of `newsflash reload` override these keys for one reload.
            """
        ),
        .key(
            "reload.canary",
            .number(0...200),
            standard: .value("200"),
            reload: .setting,
            "The number of latest events to plan with the new rules; 0 to skip the comparison."
        ),
        .key(
            "reload.announce",
            .choices(["words", "audience", "lost", "gained"]),
            reload: .setting,
            example: "[words]",
            """
            Intended differences, which are allowed for any number of events. words: the same subscribers get other \
            words. audience: other subscribers are notified instead. lost: some subscribers are no longer notified. \
            gained: further subscribers are notified.
            """
        ),
        .group(
            "reload.limits",
            isInline: true,
            """
            How many events may differ in ways that were not announced. If more differ, the new configuration is \
            dropped.
            """
        ),
        .key(
            "reload.limits.words",
            .number(0...100_000),
            standard: .value("0"),
            reload: .setting,
            "Events whose subscribers get other words."
        ),
        .key(
            "reload.limits.audience",
            .number(0...100_000),
            standard: .value("0"),
            reload: .setting,
            "Events that reach other subscribers instead."
        ),
        .key(
            "reload.limits.lost",
            .number(0...100_000),
            standard: .value("0"),
            reload: .setting,
            "Events that no longer reach some subscribers."
        ),
        .key(
            "reload.limits.gained",
            .number(0...100_000),
            standard: .value("0"),
            reload: .setting,
            "Events that reach further subscribers."
        ),
        .group(
            "secure",
            """
            The token that stands for a secure event in pushes, so that nobody can guess it. Required with \
            text.secure. Worker and gateway need the same key.
            """
        ),
        .key(
            "secure.keyFile",
            .form(.path),
            namesSecret: true,
            example: "/run/secrets/newsflash-secure-key",
            """
            A file with a random key of at least 16 bytes, such as `openssl rand -base64 32` makes it; surrounding \
            white space is ignored. After a change of the key the texts of earlier pushes can no longer be fetched.
            """
        ),
        .group(
            "log",
            """
            The log on standard error: one line per event when it ends. It never contains text of news or secrets.
            """
        ),
        .key(
            "log.level",
            .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            standard: .value("info"),
            reload: .setting,
            isActive: true,
            "The lowest level that is written: trace, debug, info, notice, warning, error or critical."
        ),
        .key(
            "log.format",
            .choice(["text", "json"]),
            standard: .value("text"),
            isActive: true,
            "The form of a line: text for people, json for machines."
        ),
    ]
}
