/// The properties of librdkafka on which the worker's promises depend; `kafka.properties` cannot set them.
///
/// Names and aliases are those of librdkafka 2.0.2 to 2.8. A property that has a key of ours is set by that key, where its
/// bounds are checked and where consumer, producer and core all get its value.
enum ReservedProperty {
    /// What to do instead of setting a property.
    ///
    /// - Parameter name: Its name in librdkafka, in any case.
    /// - Returns: For people; `nil` for a property that may be set.
    static func remedy(for name: String) -> String? {
        let name = name.lowercased()
        if let key = key(for: name) { return "is set by \(key); write it there, and leave it out here" }
        guard withoutKey.contains(name) || isOfSecurity(name) else { return nil }
        return "is set by the worker itself: what it promises depends on it. Leave it out"
    }

    private static func key(for name: String) -> String? {
        keys[name] ?? prefixes.first { name.hasPrefix($0.prefix) }?.key
    }

    /// Whether a property may turn off encryption, or the check of who the broker is.
    private static func isOfSecurity(_ name: String) -> Bool {
        (name.hasPrefix("ssl.") || name.hasPrefix("ssl_")) && !restrictions.contains(name)
    }

    /// Properties of TLS that only restrict what is accepted.
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
        // Offsets are committed by hand, to the group, once what they stand for is confirmed.
        "auto.commit.enable", "enable.auto.commit", "enable.auto.offset.store", "offset.store.method",
        // A record is written when all in-sync replicas have it. Its report says so, in bounded time.
        "acks", "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence",
        "enabled_events", "message.timeout.ms", "request.required.acks", "transactional.id",
        // Idempotent producers need them, and the producers' queue must hold what is in flight.
        "max.in.flight", "max.in.flight.requests.per.connection", "message.send.max.retries",
        "queue.buffering.max.kbytes", "queue.buffering.max.messages", "retries",
        // A story lies in one partition, in the order of its revisions.
        "partitioner", "queuing.strategy",
        // What was aborted is no news, a ledger is read to its end, and headers need a protocol that has them.
        "api.version.request", "enable.partition.eof", "isolation.level",
        // A topic is made with all its settings or not at all, and none is hidden.
        "allow.auto.create.topics", "topic.blacklist",
        // The session tells whether a member lives, and the log tells the commit gate of changes in the group.
        "group.protocol.type", "log.queue", "max.poll.interval.ms",
        // Otherwise anybody between us and the brokers can pose as one.
        "enable.ssl.certificate.verification",
    ]
}
