import Kafka
import KafkaTestCluster
import NewsEvents

extension SecureCluster {
    /// What sends a newsroom's worker to the door for passwords.
    func settings(_ mechanism: PasswordMechanism, passwordFile: String) -> [String: String] {
        [
            "NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS": client(at: .sasl).bootstrapServers,
            "NEWSFLASH_KAFKA_CA_FILE": authorityFile,
            "NEWSFLASH_KAFKA_SASL_MECHANISM": mechanism.rawValue,
            "NEWSFLASH_KAFKA_SASL_USERNAME": Self.user,
            "NEWSFLASH_KAFKA_SASL_PASSWORD_FILE": passwordFile,
        ]
    }

    /// Makes the topics that the newsroom has in the shared cluster here, too.
    func makeTopics(of newsroom: Newsroom) async throws {
        let names = newsroom.names
        for name in [names.source, names.outcomes, names.deadLetters] { try await makeTopic(named: name) }
        try await makeTopic(named: names.ledger, isCompacted: true)
    }

    /// Writes an event by the open door.
    func publish(_ event: NewsEvent, to newsroom: Newsroom) async throws {
        let (key, value) = (Array(event.story.utf8), EventEncoder.encode(event))
        try await write([KafkaRecord(topic: newsroom.names.source, partition: 0, key: key, value: value)])
    }

    /// Waits for the first outcome; nil for one that cannot be read.
    func firstOutcome(of newsroom: Newsroom) async throws -> Outcome? {
        try await read(1, from: newsroom.names.outcomes).first.flatMap(Outcome.init)
    }
}
