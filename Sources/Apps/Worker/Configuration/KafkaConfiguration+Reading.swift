import NewsflashKafka

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension KafkaConfiguration {
    /// Reads the brokers and the client's identity.
    init(_ section: ConfigurationSection) {
        let given = section.texts("bootstrapServers")
        let servers = given ?? [section.standard("bootstrapServers")]
        if servers.isEmpty { section.report("bootstrapServers", "is empty; name at least one broker as host:port") }
        for server in servers where BrokerAddress(server) == nil {
            section.report(
                "bootstrapServers",
                "'\(server)' is not the address of a broker; write host:port, with a port from 1 to 65535 and no "
                    + "scheme; separate several with commas"
            )
        }
        self.init(
            bootstrapServers: servers.joined(separator: ","),
            clientID: section.value("clientId"),
            security: KafkaSecurity(section, isLocal: servers.allSatisfy { BrokerAddress($0)?.isLocal ?? true })
        )
        if let path = section.file("keyPasswordFile") {
            do {
                properties["ssl.key.password"] = try FileContent.word(path)
            } catch {
                section.report("keyPasswordFile", "'\(path)' cannot be read: \(error)")
            }
        }
        let raw = section.section("properties")
        for name in raw.keys {
            if let remedy = ForbiddenProperty.remedy(for: name) {
                raw.report(name, remedy)
                continue
            }
            guard let value = raw.text(name) else { continue }
            if let problem = KafkaLibrary.problem(withProperty: name, value: value) {
                raw.report(name, "librdkafka \(KafkaLibrary.version) rejects it: \(problem)")
            } else {
                properties[name] = value
            }
        }
    }
}

/// The address of a broker in `kafka.bootstrapServers`: `host`, `host:port` or `[IPv6]:port`.
struct BrokerAddress {
    let host: String

    init?(_ text: String) {
        let host: Substring
        let rest: Substring
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            rest = text[host.endIndex...]
            let isName = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
            guard !host.isEmpty, isName else { return nil }
        }
        if !rest.isEmpty {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
                (1...65535).contains(port)
            else { return nil }
        }
        self.host = String(host)
    }

    /// Whether no data leaves this machine.
    var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}

extension KafkaSecurity {
    /// Reads `tls`, its files and `sasl`.
    ///
    /// - Parameters:
    ///   - section: The section `kafka`.
    ///   - isLocal: Whether all brokers are on this machine, so that an unencrypted password does not leave it.
    fileprivate init(_ section: ConfigurationSection, isLocal: Bool) {
        let tls = KafkaTLS.read(section)
        let sasl = section.section("sasl")
        let user = sasl.text("username") ?? ""
        let password = KafkaSecret.read(sasl, file: "passwordFile", variable: "passwordVariable")
        let token = KafkaSecret.read(sasl, file: "tokenFile", variable: "tokenVariable")
        let extensions = Self.extensions(sasl)
        let ofTokens = ["tokenFile", "tokenVariable", "extensions"]
        let ofPasswords = ["username", "passwordFile", "passwordVariable"]
        func refuse(_ keys: [String], _ message: String) {
            for key in keys where sasl.isGiven(key) { sasl.report(key, message) }
        }
        guard let mechanism = sasl.text("mechanism") else {
            if (ofPasswords + ofTokens).contains(where: sasl.isGiven) {
                sasl.report("mechanism", "is missing; write PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or OAUTHBEARER")
            }
            self = tls.map { .tls($0) } ?? .plaintext
            return
        }
        func named(_ make: (String, KafkaSecret) -> KafkaSASL) -> KafkaSecurity {
            if user.isEmpty { sasl.report("username", "is missing; \(mechanism) needs it") }
            if password == nil, !sasl.isGiven("passwordVariable") {
                sasl.report("passwordFile", "is missing; name the file that holds the password")
            }
            refuse(ofTokens, "is only for OAUTHBEARER; \(mechanism) needs username and passwordFile")
            return .sasl(make(user, password ?? KafkaSecret("")), tls: tls)
        }
        if mechanism.hasPrefix("SCRAM-"), !KafkaLibrary.speaksSCRAMWithKafka4 {
            sasl.warn(
                "mechanism",
                "\(mechanism) does not work with Kafka 4 and librdkafka \(KafkaLibrary.version), whatever the password: "
                    + "use PLAIN over TLS, OAUTHBEARER or a certificate, or run librdkafka 2.6.1 or later"
            )
        }
        if tls == nil, !isLocal, ["PLAIN", "OAUTHBEARER"].contains(mechanism) {
            sasl.warn(
                "mechanism",
                "\(mechanism) without TLS sends the secret unencrypted; set kafka.tls: true, or kafka.caFile"
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
            refuse(ofPasswords, "is not for OAUTHBEARER, which needs tokenFile")
            self = .sasl(.oauthBearer(token: token ?? KafkaSecret(""), extensions: extensions), tls: tls)
        default:
            sasl.report("mechanism", "'\(mechanism)' is not one of: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER")
            self = .plaintext
        }
    }

    /// Reads the extensions that are sent with a token.
    private static func extensions(_ sasl: ConfigurationSection) -> [String: String] {
        let section = sasl.section("extensions")
        var extensions: [String: String] = [:]
        for name in section.keys {
            guard let value = section.text(name) else { continue }
            if let problem = KafkaSASL.problem(withExtension: name, value: value) {
                section.report(name, problem)
            } else {
                extensions[name] = value
            }
        }
        return extensions
    }
}

extension KafkaTLS {
    /// The TLS settings; `nil` for an unencrypted connection.
    fileprivate static func read(_ section: ConfigurationSection) -> KafkaTLS? {
        let tls = KafkaTLS(
            authorityFile: section.file("caFile"),
            certificateFile: section.file("certificateFile"),
            keyFile: section.file("keyFile")
        )
        let files = [
            ("caFile", tls.authorityFile), ("certificateFile", tls.certificateFile), ("keyFile", tls.keyFile),
            ("keyPasswordFile", section.file("keyPasswordFile")),
        ]
        let given = files.compactMap { key, path in path.map { (key: key, path: $0) } }
        for (key, path) in given where key != "keyPasswordFile" && access(path, F_OK) != 0 {
            section.warn(key, "the file '\(path)' does not exist on this machine; the worker does not start without it")
        }
        if tls.keyFile == nil, let (key, _) = given.first(where: { $0.key != "caFile" }) {
            section.report("keyFile", "is missing; kafka.\(key) needs the key of the certificate")
        }
        if tls.certificateFile == nil, tls.keyFile != nil {
            section.report("certificateFile", "is missing; kafka.keyFile is the key of a certificate")
        }
        let isOn = section.boolean(ifGiven: "tls")
        if isOn == false, let (key, _) = given.first {
            section.report("tls", "is false, and kafka.\(key) is for TLS; leave out one of them")
        }
        return isOn ?? !given.isEmpty ? tls : nil
    }
}

extension KafkaSecret {
    /// A secret from a file, read each time it is needed, or from a variable.
    fileprivate static func read(_ section: ConfigurationSection, file: String, variable: String) -> KafkaSecret? {
        let variableName = section.text(variable)
        let path = section.file(file)
        if path != nil, variableName != nil {
            section.report(variable, "cannot be used together with \(file); keep one of them")
        }
        if let path {
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
