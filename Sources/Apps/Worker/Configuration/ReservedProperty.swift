/// The properties of librdkafka that the worker's promises stand on; `kafka.properties` does not reach them.
///
/// Names and aliases are those of librdkafka 2.0.2. Those that have a key of ours are set there, where their bounds are
/// checked and where consumer, producer and core all hear of them.
enum ReservedProperty {
    /// What to do instead of setting a property.
    ///
    /// - Parameter name: Its name in librdkafka.
    /// - Returns: For people; `nil` for a property that may be set.
    static func remedy(for name: String) -> String? {
        if let key = keys[name] { return "is set by \(key); write it there, and leave it out here" }
        guard withoutKey.contains(name) else { return nil }
        return "is set by the worker itself: what it promises depends on it. Leave it out"
    }

    private static let keys: [String: String] = [
        "auto.offset.reset": "kafka.startAt",
        "bootstrap.servers": "kafka.bootstrapServers",
        "group.id": "kafka.group",
        "group.instance.id": "kafka.instance",
        "heartbeat.interval.ms": "kafka.sessionTimeout",
        "metadata.broker.list": "kafka.bootstrapServers",
        "partition.assignment.strategy": "kafka.assignment",
        "queued.max.messages.kbytes": "delivery.readAhead",
        "queued.min.messages": "delivery.readAhead",
        "session.timeout.ms": "kafka.sessionTimeout",
    ]

    private static let withoutKey: Set<String> = [
        // Offsets are committed by hand, to the group, once what they stand for is confirmed.
        "auto.commit.enable", "enable.auto.commit", "enable.auto.offset.store", "offset.store.method",
        // A record is written when all in-sync replicas have it. Its report says so, in bounded time.
        "acks", "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence",
        "enabled_events", "message.timeout.ms", "request.required.acks", "transactional.id",
        // A story lies in one partition, in the order of its revisions.
        "partitioner", "queuing.strategy",
        // What was aborted is no news, a ledger is read to its end, and headers need a protocol that has them.
        "api.version.request", "enable.partition.eof", "isolation.level",
        // A topic is made with all its settings or not at all, and none is hidden.
        "allow.auto.create.topics", "topic.blacklist",
        // The session tells whether a member lives, and the log tells the commit gate of changes in the group.
        "group.protocol.type", "log.queue", "max.poll.interval.ms",
    ]
}
