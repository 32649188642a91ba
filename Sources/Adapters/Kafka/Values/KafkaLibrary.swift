import CRDKafka

/// The librdkafka that this program runs with.
public enum KafkaLibrary {
    /// Such as `2.0.2`.
    public static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether SCRAM works with Kafka 4. Before 2.6.1 librdkafka repeats its nonce, and a broker of that version says that the
    /// credentials are invalid though the password is right (librdkafka#4895).
    public static var speaksSCRAMWithKafka4: Bool { rd_kafka_version() >= 0x0206_0100 }

    /// The reason why the library does not take a property. Nothing is connected.
    ///
    /// - Parameters:
    ///   - name: Its name in librdkafka.
    ///   - value: Its value; it is in no reason if it may be a secret.
    /// - Returns: `nil` for a property that may be set.
    package static func problem(withProperty name: String, value: String) -> String? {
        let configuration = ConfigurationHandle()
        do throws(KafkaError) {
            try configuration.set(name, to: value)
            return nil
        } catch {
            let detail = error.message.split(separator: "cannot be set: ", maxSplits: 1).last
            return detail.map(String.init) ?? error.message
        }
    }
}
