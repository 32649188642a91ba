import CRDKafka

/// The librdkafka that this program runs with.
public enum KafkaLibrary {
    /// The version, such as `2.0.2`.
    public static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether SCRAM works with Kafka 4. Before 2.6.1 librdkafka repeats its nonce, and a broker of Kafka 4 then rejects the
    /// credentials although the password is right (librdkafka#4895).
    public static var speaksSCRAMWithKafka4: Bool { rd_kafka_version() >= 0x0206_0100 }

    /// Returns the reason why the library does not accept a property. Makes no connection.
    ///
    /// - Parameters:
    ///   - name: Its name in librdkafka.
    ///   - value: Its value; the reason does not contain it if it may be a secret.
    /// - Returns: `nil` if the property can be set.
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
