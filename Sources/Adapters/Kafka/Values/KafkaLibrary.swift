import CRDKafka

/// The librdkafka that this program runs with.
public enum KafkaLibrary {
    /// Such as `2.0.2`.
    public static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether SCRAM works with Kafka 4. Before 2.6.1 librdkafka repeats its nonce, and a broker of that version says that the
    /// credentials are invalid though the password is right (librdkafka#4895).
    public static var speaksSCRAMWithKafka4: Bool { rd_kafka_version() >= 0x0206_0100 }

    /// Whether this version of librdkafka has a property and accepts the value.
    static func accepts(_ property: String, _ value: String) -> Bool {
        guard let configuration = rd_kafka_conf_new() else { return false }
        defer { rd_kafka_conf_destroy(configuration) }
        return rd_kafka_conf_set(configuration, property, value, nil, 0) == RD_KAFKA_CONF_OK
    }
}
