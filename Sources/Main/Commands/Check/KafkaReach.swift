import Kafka

/// The reason why a broker cannot be reached, derived from librdkafka's messages.
struct KafkaReach: Sendable, Equatable {
    var code: CheckFact.Code
    var fault: CheckFact.Fault
    /// The finding, and after a colon the remedy.
    var message: String

    /// Derives the reason from the log lines of the connection, which are more specific than the error of the query.
    ///
    /// - Parameters:
    ///   - error: The error of the query.
    ///   - complaints: Lines that the connection logged when it failed, the oldest first.
    init(_ error: KafkaError, complaints: [String]) {
        let words = ([error.message] + complaints).map(Self.plain)
        // Prefers the latest step: a failed authentication, for example, implies that name, port and TLS work.
        for step in Step.allCases.reversed() {
            guard let said = words.last(where: { step.isSaid(in: $0) }) else { continue }
            self.init(step, said)
            return
        }
        if error.code == .authentication {
            self.init(.signIn, Self.plain(error.message))
        } else if error.code.rawValue == "_SSL" {
            self.init(.tls, Self.plain(error.message))
        } else if error.code == .invalidArgument {
            self.init(.invalid, .configuration, "\(error.message): correct the section kafka of the configuration")
        } else {
            let what = "no answer (\(error.code.rawValue))"
            self.init(.noAnswer, .unreachable, "\(what): check that the broker is running and no firewall blocks it")
        }
    }

    private init(_ step: Step, _ said: String) {
        let (code, fault) = step.verdict
        self.init(code, fault, "\(step.statement) (\(said)): \(step.remedy)")
    }

    private init(_ code: CheckFact.Code, _ fault: CheckFact.Fault, _ message: String) {
        self.code = code
        self.fault = fault
        self.message = message
    }

    /// Removes the name of librdkafka's thread and the duration.
    private static func plain(_ line: String) -> String {
        var text = line[...]
        if text.hasPrefix("[thrd:"), let end = text.firstRange(of: "]: ") { text = text[end.upperBound...] }
        if let end = text.firstRange(of: " (after ") { text = text[..<end.lowerBound] }
        return String(text)
    }

    /// The steps of a connection, in order; the step at which it failed is the reason.
    private enum Step: CaseIterable {
        case name
        case port
        case silence
        case protocolOfOther
        case tls
        case signIn

        /// Fragments of librdkafka's messages about a failure of this step.
        private var marks: [String] {
            switch self {
            case .name: ["Failed to resolve"]
            case .port: ["Connection refused", "No route to host", "Network is unreachable"]
            case .silence: ["timed out in state", "Connection timed out"]
            case .protocolOfOther:
                [
                    "incorrect security.protocol", "connecting to a PLAINTEXT broker listener", "wrong version number",
                    "might require SASL authentication", "connecting to a SSL listener", "unexpected eof while reading",
                ]
            case .tls: ["SSL handshake failed", "certificate", "SSL transport error"]
            case .signIn: ["SASL authentication error", "Authentication failed", "OAUTHBEARER token", "SASL handshake"]
            }
        }

        func isSaid(in line: String) -> Bool {
            // A handshake with a port that does not speak TLS fails too, but not because of a certificate.
            if self == .tls, Step.protocolOfOther.isSaid(in: line) { return false }
            return marks.contains { line.contains($0) }
        }

        var verdict: (CheckFact.Code, CheckFact.Fault) {
            switch self {
            case .name: (.nameUnknown, .unreachable)
            case .port: (.portClosed, .unreachable)
            case .silence: (.noAnswer, .unreachable)
            case .protocolOfOther: (.wrongProtocol, .refused)
            case .tls: (.tlsFailed, .refused)
            case .signIn: (.signInRefused, .refused)
            }
        }

        var statement: String {
            switch self {
            case .name: "the name cannot be resolved"
            case .port: "no process listens on the port"
            case .silence: "the broker does not respond"
            case .protocolOfOther: "the port uses another security protocol"
            case .tls: "TLS fails"
            case .signIn: "authentication failed"
            }
        }

        var remedy: String {
            switch self {
            case .name: "correct kafka.bootstrapServers (or --brokers), or this machine's DNS"
            case .port: "start the broker, or correct the port in kafka.bootstrapServers (or --brokers)"
            case .silence: "check that the address is right and no firewall blocks it"
            case .protocolOfOther: "set kafka.tls and kafka.sasl to match this listener of the broker"
            case .tls:
                "set kafka.caFile to the authority of the broker's certificate, and kafka.certificateFile if the broker "
                    + "requires one"
            case .signIn: "correct kafka.sasl: mechanism, user name, and the file of the password or token"
            }
        }
    }
}
