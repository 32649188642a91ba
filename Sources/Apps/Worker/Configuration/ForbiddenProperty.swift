/// The properties of librdkafka that the worker's guarantees depend on; `kafka.properties` cannot set them.
///
/// Names and aliases are those of librdkafka 2.0.2 to 2.8. A property with a key of its own in our configuration is set by that
/// key, which checks its bounds and passes the value to consumer, producer and core.
enum ForbiddenProperty {
    /// Returns what to do instead of setting a property.
    ///
    /// - Parameter name: The property's name in librdkafka, in any case.
    /// - Returns: A message for operators; `nil` if the property may be set.
    static func remedy(for name: String) -> String? {
        let name = name.lowercased()
        if let key = key(for: name) { return "is set by \(key); set it there and remove it here" }
        guard withoutKey.contains(name) || isOfSecurity(name) else { return nil }
        return "is set by the worker, whose guarantees depend on it; remove it"
    }

    private static func key(for name: String) -> String? {
        keys[name] ?? prefixes.first { name.hasPrefix($0.prefix) }?.key
    }

    /// Whether a property may disable encryption or the verification of brokers.
    private static func isOfSecurity(_ name: String) -> Bool {
        (name.hasPrefix("ssl.") || name.hasPrefix("ssl_")) && !restrictions.contains(name)
    }

    /// TLS properties that only restrict what is accepted.
    private static let restrictions: Set<String> = [
        "ssl.cipher.suites", "ssl.crl.location", "ssl.curves.list", "ssl.sigalgs.list",
    ]

    private static let keys: [String: String] = [
        "auto.offset.reset": "kafka.startAt",
        "bootstrap.servers": "kafka.bootstrapServers",
        "client.id": "kafka.clientId",
        "group.id": "kafka.group",
        "group.instance.id": "kafka.instance",
        "group.protocol": "kafka.assignment",
        "group.remote.assignor": "kafka.assignment",
        "heartbeat.interval.ms": "kafka.sessionTimeout",
        "metadata.broker.list": "kafka.bootstrapServers",
        "partition.assignment.strategy": "kafka.assignment",
        "queued.max.messages.kbytes": "delivery.readAhead",
        "queued.min.messages": "delivery.readAhead",
        "security.protocol": "kafka.tls and kafka.sasl",
        "session.timeout.ms": "kafka.sessionTimeout",
        "ssl.key.password": "kafka.keyPasswordFile",
    ]

    private static let prefixes: [(prefix: String, key: String)] = [
        ("sasl.", "kafka.sasl"), ("ssl.ca.", "kafka.caFile"), ("ssl.certificate.", "kafka.certificateFile"),
        ("ssl.key.", "kafka.keyFile"), ("ssl.keystore.", "kafka.certificateFile and kafka.keyFile"),
    ]

    private static let withoutKey: Set<String> = [
        // Offsets are committed by the worker, to the group, once the outcomes of their records are confirmed.
        "auto.commit.enable", "enable.auto.commit", "enable.auto.offset.store", "offset.store.method",
        // A record counts as written when all in-sync replicas have it. The delivery report confirms this in bounded time.
        "acks", "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence",
        "enabled_events", "message.timeout.ms", "request.required.acks", "transactional.id",
        // Idempotent producers need these, and the producers' queue must have room for all records in flight.
        "max.in.flight", "max.in.flight.requests.per.connection", "message.send.max.retries",
        "queue.buffering.max.kbytes", "queue.buffering.max.messages", "retries",
        // All records of a story are in one partition, in the order of its revisions.
        "partitioner", "queuing.strategy",
        // Aborted records must not be read, a ledger is read to its end, and headers need a protocol version that has them.
        "api.version.request", "enable.partition.eof", "isolation.level",
        // A topic is created with all its settings or not at all, and no topic is hidden.
        "allow.auto.create.topics", "topic.blacklist",
        // The session shows whether a member is alive, and the log informs the commit gate of changes in the group.
        "group.protocol.type", "log.queue", "max.poll.interval.ms",
        // Without it, anyone between us and the brokers can impersonate one.
        "enable.ssl.certificate.verification",
    ]
}
