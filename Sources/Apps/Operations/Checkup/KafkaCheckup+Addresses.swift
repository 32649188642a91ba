import NewsflashBasics
import NewsflashKafka
import NewsflashPublishing
import NewsflashWorker

// Checks that each label still refers to the hub that the ledger's stories were sent to.
extension KafkaCheckup {
    /// Compares the addresses of the hubs with those in the owner records of the ledgers, as a worker does when it takes
    /// over a partition. Each ledger is read from the beginning to its current end.
    ///
    /// - Parameters:
    ///   - present: The topics.
    ///   - found: The facts so far; none is returned again.
    /// - Returns: For each ledger, one fact that it matches, or its conflicts.
    func addressFacts(_ present: [PresentTopic], after found: [CheckFact]) async -> [CheckFact] {
        guard !hubs.addresses.isEmpty else { return [] }
        var facts: [CheckFact] = []
        for topic in present where topic.needed.role == .ledger && !topic.needed.isLeaderless(topic.topic) {
            guard topic.topic?.error == nil else { continue }
            facts += await addressFacts(ofLedger: topic.needed.name, after: found)
        }
        return facts.filter { !found.contains($0) }
    }

    private func addressFacts(ofLedger name: String, after found: [CheckFact]) async -> [CheckFact] {
        let recorded: RecordedHubs
        do throws(OperationError) {
            recorded = try await RecordedHubs.read(name, in: quiet())
        } catch {
            guard !found.contains(where: { $0.subject == name && $0.status != .ok }) else { return [] }
            let message = "cannot compare the hubs' addresses with it: \(error)"
            return [.problem(.unreachable, .ledger, name, .noAnswer, message)]
        }
        var conflicts: [(conflict: HubAddresses.Conflict, partitions: [Int32])] = []
        for (partition, addresses) in recorded.hubs.sorted(by: { $0.key < $1.key }) {
            for conflict in hubs.conflicts(with: addresses) {
                if let place = conflicts.firstIndex(where: { $0.conflict == conflict }) {
                    conflicts[place].partitions.append(partition)
                } else {
                    conflicts.append((conflict, [partition]))
                }
            }
        }
        let foreign = Set(recorded.owners.values.filter { ![settings.group, ""].contains($0.group) }.map(\.group))
        let groups = foreign.sorted().map { group in
            let message = LedgerOwner(hasLeft: true, isSettled: true, hubs: [:], group: group)
                .foreignGroupMessage(settings.group)
            return CheckFact.problem(.configuration, .ledger, name, .ledgerGroup, message)
        }
        let facts = groups + recorded.damaged + conflicts.map { fact(of: $0.conflict, in: $0.partitions, ledger: name) }
        guard facts.isEmpty else { return facts }
        let labels = hubs.addresses.keys.sorted().joined(separator: ", ")
        return [.ok(.ledger, name, "its hub addresses match the configuration (\(labels))")]
    }

    private func fact(of conflict: HubAddresses.Conflict, in partitions: [Int32], ledger: String) -> CheckFact {
        let label = conflict.label
        let numbers = partitions.map(String.init).joined(separator: ", ")
        let place = partitions.count == 1 ? "partition \(numbers)" : "partitions \(numbers)"
        let message =
            "hubs.\(label): the stories of \(place) were sent to \(conflict.recorded), but in this configuration '\(label)' is "
            + "\(conflict.configured), so a worker refuses to start: give the new hub a label of its own and keep "
            + "'\(label)' with \(conflict.recorded), or restore the endpoint and name of '\(label)', or, if all its devices "
            + "have moved to the new hub, confirm it with hubs.\(label).replaces: \(conflict.recorded)"
        return .problem(.configuration, .ledger, ledger, .hubAddressChanged, message)
    }
}

/// The addresses of hubs in the owner records of a ledger.
private struct RecordedHubs: Sendable {
    /// The addresses of hubs by their labels, for each partition with an owner record.
    private(set) var hubs: [Int32: [String: String]] = [:]
    /// The latest owner of each partition.
    private(set) var owners: [Int32: LedgerOwner] = [:]
    /// Owner records that cannot be read.
    private(set) var damaged: [CheckFact] = []

    /// Reads the owner records of a ledger.
    ///
    /// - Throws: ``OperationError`` if the ledger cannot be read.
    static func read(_ ledger: String, in cluster: KafkaConfiguration) async throws(OperationError) -> RecordedHubs {
        let recorded = Locked(RecordedHubs())
        _ = try await TopicScan(cluster, topics: [ledger], from: .earliest, to: .present).run { messages in
            for message in messages where message.key.map({ LedgerOwner.isKey($0.span) }) ?? false {
                recorded.withLock { $0.apply(message) }
            }
            return true
        }
        return recorded.withLock { $0 }
    }

    /// Applies an owner record; a later one of the same partition takes precedence.
    private mutating func apply(_ message: KafkaMessage) {
        guard let value = message.value else {
            hubs[message.partition] = nil
            owners[message.partition] = nil
            return
        }
        do throws(LedgerRecordError) {
            let owner = try LedgerOwner(decoding: value.span)
            owners[message.partition] = owner
            hubs[message.partition, default: [:]].merge(owner.hubs) { $1 }
        } catch {
            damaged.append(.damaged(message, error))
        }
    }
}

/// The reason why a broker cannot be reached, derived from librdkafka's messages.
struct UnreachableBroker: Sendable, Equatable {
    var code: CheckFact.Code
    var kind: CheckFact.ProblemKind
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
            // The words before the colon are the question, such as `asking the coordinator of group "x" for its offsets`.
            let question = error.message.firstRange(of: ": ").map { " to \(error.message[..<$0.lowerBound])" } ?? ""
            let what = "no answer (\(error.code.rawValue))\(question)"
            self.init(.noAnswer, .unreachable, "\(what): check that the brokers run and no firewall blocks them")
        }
    }

    private init(_ step: Step, _ said: String) {
        let (code, kind) = step.verdict
        self.init(code, kind, "\(step.statement) (\(said)): \(step.remedy)")
    }

    private init(_ code: CheckFact.Code, _ kind: CheckFact.ProblemKind, _ message: String) {
        self.code = code
        self.kind = kind
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
                    // The first bytes of another protocol, read as the length of a response.
                    "Invalid response size",
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

        var verdict: (CheckFact.Code, CheckFact.ProblemKind) {
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
            case .protocolOfOther: "the port uses another protocol"
            case .tls: "TLS fails"
            case .signIn: "authentication failed"
            }
        }

        var remedy: String {
            switch self {
            case .name: "correct kafka.bootstrapServers (or --brokers), or this machine's DNS"
            case .port: "start the broker, or correct the port in kafka.bootstrapServers (or --brokers)"
            case .silence: "check that the address is right and no firewall blocks it"
            case .protocolOfOther:
                "correct the port in kafka.bootstrapServers (or --brokers), or set kafka.tls and kafka.sasl to match this "
                    + "listener of the broker"
            case .tls:
                "set kafka.caFile to the authority of the broker's certificate, and kafka.certificateFile if the broker "
                    + "requires one"
            case .signIn: "correct kafka.sasl: mechanism, user name, and the file of the password or token"
            }
        }
    }
}
