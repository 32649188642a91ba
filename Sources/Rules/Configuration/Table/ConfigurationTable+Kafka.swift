extension ConfigurationTable {
    /// The configuration version and the section `kafka`.
    static let kafka: [ConfigurationRow] = [
        .key(
            "version",
            .form(.version),
            standard: .required,
            reload: .setting,
            example: "1",
            isActive: true,
            "The version of the configuration format, which is 1."
        ),
        .group(
            "kafka",
            definition: "kafka",
            "The Kafka cluster with the topics of events and outcomes, and the authentication."
        ),
        .key(
            "kafka.bootstrapServers",
            .form(.brokers),
            standard: .value("127.0.0.1:9092"),
            isActive: true,
            "Some brokers as host:port; the others are discovered through them."
        ),
        .key(
            "kafka.group",
            .text(1...255),
            standard: .value("newsflash"),
            isActive: true,
            "The consumer group. Workers of one group share the partitions."
        ),
        .key(
            "kafka.startAt",
            .choice(["earliest", "latest", "error"]),
            standard: .value("earliest"),
            isActive: true,
            """
            The first position of a group without committed offsets. earliest: nothing is lost, and old news expires \
            automatically. latest: existing records are skipped. error: the partition is not read until a person \
            decides. After Kafka has lost records, reading continues at the oldest remaining record; with error, the \
            partition is not read.
            """
        ),
        .key(
            "kafka.sessionTimeout",
            .duration(from: "6s", to: "30m", because: "the brokers' limits"),
            standard: .value("10s"),
            isActive: true,
            """
            How long the group waits for a heartbeat of a worker before it gives the worker's partitions to others. \
            The news of a killed worker waits that long.
            """
        ),
        .key(
            "kafka.assignment",
            .choice(["cooperative-sticky", "range"]),
            standard: .value("cooperative-sticky"),
            isActive: true,
            """
            How workers share the partitions; the same for all workers of a group. cooperative-sticky: only \
            partitions that move are interrupted. range: all partitions are interrupted while the group changes.
            """
        ),
        .key(
            "kafka.instance",
            .form(.memberName),
            example: "newsflash-0",
            """
            A permanent name of this worker, unique in the group, such as the name of a StatefulSet's pod. A worker \
            that restarts within sessionTimeout gets its partitions back at once. It keeps its partitions when it \
            stops, so after a permanent stop they wait for sessionTimeout. Leave it out if names change with each \
            start, as in a Deployment. The variable NEWSFLASH_KAFKA_INSTANCE is the usual place. Empty: none.
            """
        ),
        .key(
            "kafka.clientId",
            .text(1...255),
            standard: .value("newsflash"),
            "The client id that the worker sends to the brokers."
        ),
        .key(
            "kafka.tls",
            .flag,
            standard: .derived("false, and true if a certificate file is given", "false"),
            example: "true",
            "Whether to use TLS."
        ),
        .key(
            "kafka.caFile",
            .form(.path),
            standard: .derived("the system's"),
            example: "/etc/newsflash/kafka-ca.pem",
            "The certificate authorities for the brokers' certificates, PEM."
        ),
        .key(
            "kafka.certificateFile",
            .form(.path),
            example: "/etc/newsflash/kafka-client.pem",
            "The worker's client certificate, PEM."
        ),
        .key(
            "kafka.keyFile",
            .form(.path),
            namesSecret: true,
            example: "/run/secrets/kafka-client-key.pem",
            "The private key of certificateFile, PEM."
        ),
        .key(
            "kafka.keyPasswordFile",
            .form(.path),
            namesSecret: true,
            example: "/run/secrets/kafka-client-key-password",
            "The file with the password of keyFile."
        ),
        .group(
            "kafka.sasl",
            constraints: #"{"not": {"required": ["passwordFile", "passwordVariable"]}}"#,
            """
            Authentication with a user name and password, or with a token. A production cluster requires encryption \
            and authentication.
            """
        ),
        .key(
            "kafka.sasl.mechanism",
            .choice(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"]),
            example: "PLAIN",
            """
            The mechanism: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER. PLAIN sends the password, so it \
            requires tls. SCRAM with Kafka 4 brokers needs librdkafka 2.6.1 or later.
            """
        ),
        .key(
            "kafka.sasl.username",
            .text(1...1024),
            example: "newsflash",
            "The user name; for PLAIN and SCRAM."
        ),
        .key(
            "kafka.sasl.passwordFile",
            .form(.path),
            namesSecret: true,
            example: "/run/secrets/kafka-password",
            "The file with the password. The password itself cannot be given in this configuration."
        ),
        .key(
            "kafka.sasl.passwordVariable",
            .form(.variable),
            namesSecret: true,
            example: "KAFKA_PASSWORD",
            "The environment variable with the password."
        ),
        .key(
            "kafka.sasl.tokenFile",
            .form(.path),
            namesSecret: true,
            example: "/run/secrets/kafka-token",
            "OAUTHBEARER: the file with the token. It is read again whenever a token is needed."
        ),
        .key(
            "kafka.sasl.tokenVariable",
            .form(.variable),
            namesSecret: true,
            example: "KAFKA_TOKEN",
            "OAUTHBEARER: the environment variable with the token."
        ),
        .group(
            "kafka.sasl.extensions",
            isInline: true,
            names: "extensionName",
            constraints: #"{"maxProperties": 20}"#,
            """
            OAUTHBEARER: names and values that the brokers require in addition to the token (KIP-342). Confluent \
            Cloud: logicalCluster and identityPoolId.
            """
        ),
        .key(
            "kafka.sasl.extensions.*",
            .form(.extensionValue),
            examples: ["logicalCluster": "lkc-1x2y3z", "identityPoolId": "pool-4a5b"],
            "The value of an extension."
        ),
        .group(
            "kafka.properties",
            isInline: true,
            names: "propertyName",
            constraints: #"{"maxProperties": 200}"#,
            """
            Any property of librdkafka, for both consumer and producer; it overrides the worker's own setting. \
            Properties that the worker's guarantees depend on are refused.
            """
        ),
        .key(
            "kafka.properties.*",
            .form(.property),
            examples: ["client.rack": "eu-west-1a"],
            "The value of a property."
        ),
    ]
}
