import Kafka

extension KafkaConfiguration {
    /// Reads what the section says of the cluster and of how to show ourselves to it.
    init(_ section: ConfigurationSection) {
        let servers = section.texts("bootstrapServers") ?? ["127.0.0.1:9092"]
        if servers.isEmpty { section.report("bootstrapServers", "is empty; name at least one broker as host:port") }
        self.init(
            bootstrapServers: servers.joined(separator: ","),
            clientID: section.text("clientId") ?? "newsflash",
            security: KafkaSecurity(section)
        )
        if let path = section.text("keyPasswordFile") {
            do {
                properties["ssl.key.password"] = try FileContent.word(path)
            } catch {
                section.report("keyPasswordFile", "'\(path)' cannot be read: \(error)")
            }
        }
        let raw = section.section("properties")
        for name in raw.keys {
            if let remedy = ReservedProperty.remedy(for: name) {
                raw.report(name, remedy)
                continue
            }
            if let value = raw.text(name) { properties[name] = value }
        }
    }
}

extension KafkaSecurity {
    fileprivate init(_ section: ConfigurationSection) {
        let tls = KafkaTLS.read(section)
        let sasl = section.section("sasl")
        defer { sasl.reportUnknownKeys() }
        guard let mechanism = sasl.text("mechanism") else {
            self = tls.map { .tls($0) } ?? .plaintext
            return
        }
        let user = sasl.text("username") ?? ""
        let password = KafkaSecret.read(sasl, file: "passwordFile", variable: "passwordVariable")
        let token = KafkaSecret.read(sasl, file: "tokenFile", variable: "tokenVariable")
        func named(_ make: (String, KafkaSecret) -> KafkaSASL) -> KafkaSecurity {
            if user.isEmpty { sasl.report("username", "is missing; \(mechanism) needs it") }
            if password == nil, !sasl.isGiven("passwordVariable") {
                sasl.report("passwordFile", "is missing; name the file that holds the password")
            }
            return .sasl(make(user, password ?? KafkaSecret("")), tls: tls)
        }
        if mechanism.hasPrefix("SCRAM-"), !KafkaLibrary.speaksSCRAMWithKafka4 {
            sasl.warn(
                "mechanism",
                "\(mechanism) does not work with Kafka 4 and librdkafka \(KafkaLibrary.version), whatever the password: "
                    + "use PLAIN over TLS, OAUTHBEARER or a certificate, or run librdkafka 2.6.1 or later"
            )
        }
        switch mechanism {
        case "PLAIN": self = named { .plain(user: $0, password: $1) }
        case "SCRAM-SHA-256": self = named { .scramSHA256(user: $0, password: $1) }
        case "SCRAM-SHA-512": self = named { .scramSHA512(user: $0, password: $1) }
        case "OAUTHBEARER":
            if token == nil, !sasl.isGiven("tokenVariable") {
                sasl.report("tokenFile", "is missing; name the file that holds the token")
            }
            self = .sasl(.oauthBearer(token: token ?? KafkaSecret("")), tls: tls)
        default:
            sasl.report("mechanism", "'\(mechanism)' is none of: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER")
            self = .plaintext
        }
    }
}

extension KafkaTLS {
    /// The TLS settings; `nil` for a connection in the clear.
    fileprivate static func read(_ section: ConfigurationSection) -> KafkaTLS? {
        let tls = KafkaTLS(
            authorityFile: section.text("caFile"),
            certificateFile: section.text("certificateFile"),
            keyFile: section.text("keyFile")
        )
        let isNamed = tls.authorityFile != nil || tls.certificateFile != nil || tls.keyFile != nil
        return section.boolean("tls") ?? isNamed ? tls : nil
    }
}

extension KafkaSecret {
    /// A secret from a file, read whenever it is needed, or from a variable.
    fileprivate static func read(_ section: ConfigurationSection, file: String, variable: String) -> KafkaSecret? {
        let variableName = section.text(variable)
        if let path = section.text(file) {
            return KafkaSecret(reading: {
                do throws(UnreadableFile) {
                    return try FileContent.word(path)
                } catch {
                    throw UnreadableSecret(path: path, fault: error)
                }
            })
        }
        guard let variableName else { return nil }
        section.context.know(variableName)
        guard let value = section.context.environment[variableName] else {
            section.report(variable, "names the variable \(variableName), which is not set")
            return nil
        }
        return KafkaSecret(value)
    }
}

/// A file with a secret that cannot be read.
private struct UnreadableSecret: KafkaSecretFault {
    let path: String
    let fault: UnreadableFile

    var explanation: String { "\(path): \(fault)" }
}
