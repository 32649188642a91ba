import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster

extension SecureCluster {
    /// The settings with which a newsroom's worker uses the listener for passwords.
    func settings(_ mechanism: PasswordMechanism, passwordFile: String) -> [String: String] {
        [
            "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS": client(at: .sasl).bootstrapServers,
            "NEWSFLASH_KAFKA_CA_FILE": authorityFile,
            "NEWSFLASH_KAFKA_SASL_MECHANISM": mechanism.rawValue,
            "NEWSFLASH_KAFKA_SASL_USERNAME": Self.user,
            "NEWSFLASH_KAFKA_SASL_PASSWORD_FILE": passwordFile,
        ]
    }

    /// Creates the topics of the newsroom, which exist in the shared cluster, in this cluster too.
    func makeTopics(of newsroom: Newsroom) async throws {
        let names = newsroom.names
        for name in [names.source, names.outcomes, names.deadLetters] { try await makeTopic(named: name) }
        try await makeTopic(named: names.ledger, isCompacted: true)
    }

    /// Writes an event through the listener without authentication.
    func publish(_ event: NewsEvent, to newsroom: Newsroom) async throws {
        let (key, value) = (Array(event.story.utf8), EventEncoder.encode(event))
        try await write([KafkaRecord(topic: newsroom.names.source, partition: 0, key: key, value: value)])
    }

    /// Waits for the first outcome; `nil` if it cannot be decoded.
    func firstOutcome(of newsroom: Newsroom) async throws -> Outcome? {
        try await read(1, from: newsroom.names.outcomes).first.flatMap(Outcome.init)
    }
}
