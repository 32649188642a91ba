extension OddConfiguration {
    private static let inTopics = "cannot be part of the names of the control topic and the ledger; write at most 249"

    /// Names of the group and its members, and assignments of partitions.
    static let group: [Self] = [
        .kafka("{ group: null }", shows: ("kafka.group", "newsflash")),
        .kafka("{ group: ~ }", shows: ("kafka.group", "newsflash")),
        .kafka("{ group: }", shows: ("kafka.group", "newsflash")),
        .kafka("{ group: \"\" }", "2 kafka.group: is empty; name the consumer group"),
        .kafka("{ group: \"  \" }", "2 kafka.group: is empty; name the consumer group"),
        .kafka("{ group: \"a/b c\" }", "2 kafka.group: 'a/b c' \(inTopics)"),
        .replacing(
            "group: newsflash }",
            "group: \"a/b c\" }\nledger: { use: \"off\" }",
            "2 kafka.group: 'a/b c' \(inTopics)"
        ),
        .replacing(
            "group: newsflash }",
            "group: \"a/b c\" }\ntopics: { control: control, ledger: \"{topic}.ledger\" }"
        ),
        .kafka("{ group: \"${GROUP}\" }", "2 kafka.group: '${GROUP}' \(inTopics)"),
        .kafka("{ group: 12 }", shows: ("kafka.group", "12")),
        .kafka("{ instance: \"\(String(repeating: "x", count: 300))\" }", "2 kafka.instance: 'xxx"),
        .kafka("{ instance: \"$(POD_NAME)\" }", "2 kafka.instance: '$(POD_NAME)' is not a valid member name"),
        .kafka("{ startAt: none }", "2 kafka.startAt: 'none' is not one of: earliest, latest, error"),
        .kafka("{ assignment: roundrobin }", "2 kafka.assignment: 'roundrobin' is not one of: cooperative-sticky"),
        .kafka("{ sessionTimeout: 5s }", "2 kafka.sessionTimeout: must be between 6s and 30m (the brokers' limits)"),
        .kafka(
            "{ sessionTimeout: 10 }",
            "2 kafka.sessionTimeout: '10' is not a duration; write a whole number with"
        ),
        .kafka("{ sessionTimeout: 1.5m }", "2 kafka.sessionTimeout: '1.5m' is not a duration"),
        .kafka("{ sessionTimeout: PT30S }", "2 kafka.sessionTimeout: 'PT30S' is not a duration"),
        .kafka("{ sessionTimeout: -30s }", "2 kafka.sessionTimeout: '-30s' is not a duration"),
        .kafka("{ sessionTimeout: 30m }"),
    ]

    private static let plain = "sasl: { mechanism: PLAIN, username: u, passwordFile: /x }"

    /// TLS and SASL.
    static let security: [Self] = [
        .kafka("{ caFile: }", shows: ("kafka.tls", "false")),
        .kafka("{ caFile: null }", shows: ("kafka.tls", "false")),
        .kafka("{ caFile: \"\" }", shows: ("kafka.tls", "false")),
        .kafka("{ caFile: /nonexistent/ca.pem }", "warning 2 kafka.caFile: the file '/nonexistent/ca.pem' does not"),
        .kafka("{ tls: yes }", "2 kafka.tls: 'yes' is neither true nor false"),
        .kafka("{ tls: True }", "2 kafka.tls: 'True' is neither true nor false"),
        .kafka(
            "{ tls: false, caFile: /etc/hosts }",
            "2 kafka.tls: is false, and kafka.caFile is for TLS; leave out one"
        ),
        .kafka(
            "{ tls: false, certificateFile: /x, keyFile: /y }",
            "2 kafka.tls: is false, and kafka.certificateFile is for TLS; leave out one"
        ),
        .kafka("{ certificateFile: /x }", "2 kafka.keyFile: is missing; kafka.certificateFile needs the key of"),
        .kafka("{ keyFile: /x }", "2 kafka.certificateFile: is missing; kafka.keyFile is the key of a certificate"),
        .kafka(
            "{ bootstrapServers: \"kafka:9092\", \(plain) }",
            "warning 2 kafka.sasl.mechanism: PLAIN without TLS sends the"
        ),
        .kafka("{ bootstrapServers: \"[::1]:9092, localhost\", \(plain) }"),
        .kafka("{ bootstrapServers: \"kafka:9092\", tls: true, \(plain) }"),
        .kafka(
            "{ sasl: { username: u, passwordFile: /x } }",
            "2 kafka.sasl.mechanism: is missing; write PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER"
        ),
        .kafka(
            "{ sasl: { mechanism: plain, username: u, passwordFile: /x } }",
            "2 kafka.sasl.mechanism: 'plain' is not one of: PLAIN"
        ),
        .kafka(
            "{ sasl: { mechanism: PLAIN, username: u, passwordFile: /x, passwordVariable: FOO } }",
            "2 kafka.sasl.passwordVariable: cannot be used together with passwordFile; keep one of them"
        ),
        .kafka(
            "{ sasl: { mechanism: PLAIN, username: u, passwordFile: /x, tokenFile: /y } }",
            "2 kafka.sasl.tokenFile: is only for OAUTHBEARER; PLAIN needs username and passwordFile"
        ),
        .kafka(
            "{ sasl: { mechanism: OAUTHBEARER, username: u, tokenFile: /y } }",
            "2 kafka.sasl.username: is not for OAUTHBEARER, which needs tokenFile"
        ),
        .kafka(
            "{ tls: true, sasl: { mechanism: OAUTHBEARER, tokenFile: /y, extensions: { logicalCluster: lkc-1, poolId: p 1 } } }"
        ),
        .kafka(
            "{ tls: true, sasl: { mechanism: OAUTHBEARER, tokenFile: /y, extensions: { logical-cluster: x, auth: y, a: é } } }",
            "2 kafka.sasl.extensions.logical-cluster: is not a valid extension name; use only letters from A to Z",
            "2 kafka.sasl.extensions.auth: is the name of the token itself; remove it",
            "2 kafka.sasl.extensions.a: must have at least one character, and only printable ASCII characters"
        ),
        .kafka(
            "{ tls: true, sasl: { mechanism: PLAIN, username: u, passwordFile: /x, extensions: { a: b } } }",
            "2 kafka.sasl.extensions: is only for OAUTHBEARER; PLAIN needs username and passwordFile"
        ),
        .kafka(
            "{ sasl: { mechanism: PLAIN, username: u, password: hunter2 } }",
            "2 kafka.sasl.passwordFile: is missing; name the file that holds the password",
            "2 kafka.sasl.password: unknown key; allowed: extensions, mechanism, passwordFile"
        ),
    ]

    private static let sasl = "is set by kafka.sasl; set it there and remove it here"

    /// Properties of librdkafka.
    static let properties: [Self] = [
        .property("foo.bar: 1", "2 kafka.properties.foo.bar: librdkafka"),
        .property("socket.timeout.ms: abc", "2 kafka.properties.socket.timeout.ms: librdkafka"),
        .property("enable.auto.commit: true", promised("enable.auto.commit")),
        .property("retries: 0", promised("retries")),
        .property("max.in.flight: 100", promised("max.in.flight")),
        .property("queue.buffering.max.messages: 1", promised("queue.buffering.max.messages")),
        .property("enable.ssl.certificate.verification: false", promised("enable.ssl.certificate.verification")),
        .property("ssl.endpoint.identification.algorithm: none", promised("ssl.endpoint.identification.algorithm")),
        .property("ssl.engine.location: /x", promised("ssl.engine.location")),
        .property("group.protocol: consumer", "2 kafka.properties.group.protocol: is set by kafka.assignment"),
        .property("group.remote.assignor: a", "2 kafka.properties.group.remote.assignor: is set by kafka.assignment"),
        .property("client.id: zzz", "2 kafka.properties.client.id: is set by kafka.clientId"),
        .property(
            "security.protocol: plaintext",
            "2 kafka.properties.security.protocol: is set by kafka.tls and kafka.sasl"
        ),
        .property("ssl.ca.location: /x", "2 kafka.properties.ssl.ca.location: is set by kafka.caFile"),
        .property("SASL.PASSWORD: hunter2", "2 kafka.properties.SASL.PASSWORD: \(sasl)"),
        .property("sasl.mechanism: PLAIN", "2 kafka.properties.sasl.mechanism: \(sasl)"),
        .property("sasl: { username: u }", "2 kafka.properties.sasl: must be one value, not a list or a mapping"),
        .kafka("{ properties: [a, b] }", "2 kafka.properties: must be a mapping of keys to values"),
        .property("fetch.min.bytes: 100000000, fetch.wait.max.ms: 300000"),
        .property("ssl.cipher.suites: ECDHE-RSA-AES128-GCM-SHA256"),
    ]

    private static func notBroker(_ server: String) -> String {
        "2 kafka.bootstrapServers: '\(server)' is not the address of a broker; write host:port, with a port from 1 to 65535"
    }

    /// Addresses of brokers.
    static let brokers: [Self] = [
        .kafka("{ bootstrapServers: kafka }"),
        .kafka("{ bootstrapServers: \"[2001:db8::1]:9092, kafka-0.kafka:9092\" }"),
        .kafka("{ bootstrapServers: \"http://kafka:9092\" }", notBroker("http://kafka:9092")),
        .kafka("{ bootstrapServers: \"kafka:99999\" }", notBroker("kafka:99999")),
        .kafka("{ bootstrapServers: \"kafka:0\" }", notBroker("kafka:0")),
        .kafka("{ bootstrapServers: \"kafka:abc\" }", notBroker("kafka:abc")),
        .kafka("{ bootstrapServers: \"a:9092;b:9092\" }", notBroker("a:9092;b:9092")),
        .kafka("{ bootstrapServers: \"a:9092 b:9092\" }", notBroker("a:9092 b:9092")),
        .kafka("{ bootstrapServers: [] }", "2 kafka.bootstrapServers: is empty; name at least one broker as host:port"),
        .kafka("{ bootstrapServers: \",,\" }", "2 kafka.bootstrapServers: is empty; name at least one broker"),
        .kafka("{ bootstrapServers: { a: 9092 } }", "2 kafka.bootstrapServers: must be one value"),
        .kafka("{ bootstrapServers: [ kafka: 9092 ] }", "2 kafka.bootstrapServers: must be a list of plain values"),
    ]
}
