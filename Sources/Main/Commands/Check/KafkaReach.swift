import Kafka

/// Why a broker is not reached, found out of what librdkafka says.
struct KafkaReach: Sendable, Equatable {
    var code: CheckFact.Code
    var fault: CheckFact.Fault
    /// What is so, and behind a colon what to do.
    var message: String

    /// Reads what the connection complained of, which says more than the error of the question that nobody answered.
    ///
    /// - Parameters:
    ///   - error: Of the question.
    ///   - complaints: Lines that the connection logged as it failed, the oldest first.
    init(_ error: KafkaError, complaints: [String]) {
        let words = ([error.message] + complaints).map(Self.plain)
        // What came nearest to an answer: who signs in has a name, a port and TLS behind him.
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
            self.init(.invalid, .configuration, "\(error.message): mend the section kafka of the configuration")
        } else {
            let what = "no answer (\(error.code.rawValue))"
            self.init(.noAnswer, .unreachable, "\(what): see that the broker runs and that no firewall is between")
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

    /// Without the name of librdkafka's thread, and of the time that it took.
    private static func plain(_ line: String) -> String {
        var text = line[...]
        if text.hasPrefix("[thrd:"), let end = text.firstRange(of: "]: ") { text = text[end.upperBound...] }
        if let end = text.firstRange(of: " (after ") { text = text[..<end.lowerBound] }
        return String(text)
    }

    /// How far a connection comes before it fails.
    private enum Step: CaseIterable {
        case name
        case port
        case silence
        case protocolOfOther
        case tls
        case signIn

        /// librdkafka's words for it.
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
            // A handshake with a port that speaks no TLS fails too, and no certificate mends that.
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
            case .name: "the name has no address"
            case .port: "nothing listens there"
            case .silence: "nobody answers there"
            case .protocolOfOther: "the port speaks another protocol"
            case .tls: "TLS fails"
            case .signIn: "the broker does not let us sign in"
            }
        }

        var remedy: String {
            switch self {
            case .name: "correct kafka.bootstrapServers (or --brokers), or this machine's DNS"
            case .port: "start the broker, or correct the port in kafka.bootstrapServers (or --brokers)"
            case .silence: "see that the address is right and that no firewall is between"
            case .protocolOfOther: "set kafka.tls and kafka.sasl as this listener of the broker has them"
            case .tls:
                "set kafka.caFile to the authority of the broker's certificate, and kafka.certificateFile where the broker "
                    + "asks for one"
            case .signIn: "mend kafka.sasl: mechanism, user name, and the file of the password or token"
            }
        }
    }
}
