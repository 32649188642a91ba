import NewsflashBasics
import NewsflashKafka
import NewsflashPublishing
import NewsflashWorker

/// The user whose rights are checked.
package enum CheckedUser: String, Sendable, CaseIterable {
    /// The user of a worker.
    case worker
    /// The user of people on call, for their commands.
    case `operator`
}

/// Checks everything that a worker, or a person on call, needs of Kafka: brokers, topics, rights, ledger. Writes nothing and
/// joins no group.
struct KafkaCheckup: Sendable {
    let settings: TopicSettings
    let user: CheckedUser
    /// The hubs whose addresses are compared with those in the ledgers.
    let hubs: HubAddresses
    /// Whether volume limits may write control commands.
    let hasVolumeLimit: Bool
    /// The maximum response time of a broker.
    let patience: Duration

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - settings: The brokers, the topics and the group.
    ///   - user: The user whose rights are checked.
    ///   - hubs: The hubs whose addresses are compared with those in the ledgers.
    ///   - hasVolumeLimit: Whether volume limits may write control commands.
    ///   - patience: The maximum response time of a broker.
    init(
        _ settings: TopicSettings,
        as user: CheckedUser = .worker,
        hubs: HubAddresses = HubAddresses(),
        hasVolumeLimit: Bool = true,
        patience: Duration = .seconds(5)
    ) {
        self.settings = settings
        self.user = user
        self.hubs = hubs
        self.hasVolumeLimit = hasVolumeLimit
        self.patience = patience
    }

    /// Runs the check.
    ///
    /// - Parameter tell: Called with each fact as soon as it is found.
    func run(_ tell: (CheckFact) -> Void) async {
        let servers = await reachAll()
        for server in servers { tell(fact(of: server, isOnly: servers.contains { $0.brokerCount != nil } == false)) }
        guard servers.contains(where: { $0.brokerCount != nil }) else { return }
        do throws(OperationError) {
            let needed = NeededTopic.all(of: settings)
            let present = try await TopicSurvey.present(needed, at: quiet())
            for fact in await topicFacts(present) { tell(fact) }
            let rights = await rightFacts(present)
            for fact in rights { tell(fact) }
            for fact in await addressFacts(present, after: rights) { tell(fact) }
        } catch {
            tell(.problem(.unreachable, .kafka, settings.kafka.bootstrapServers, .noAnswer, error.description))
        }
    }

    /// Returns the client settings, with log lines sent to `log` instead of the process's log.
    func quiet(log: @escaping @Sendable (KafkaLogLine) -> Void = { _ in }) -> KafkaConfiguration {
        var cluster = settings.kafka
        cluster.log = log
        return cluster
    }

    // MARK: Brokers

    /// A bootstrap server, and the result of connecting to it.
    private struct BootstrapServer: Sendable {
        let address: String
        /// The number of brokers in its metadata; `nil` if it was not reached.
        var brokerCount: Int?
        var failure: UnreachableBroker?
    }

    /// Connects to every bootstrap server, because any of them may one day be the only one that is up.
    private func reachAll() async -> [BootstrapServer] {
        let servers = settings.kafka.bootstrapServers.split(separator: ",").map { $0.filter { $0 != " " } }
        return await withTaskGroup(of: (Int, BootstrapServer).self) { group in
            for (index, server) in servers.enumerated() { group.addTask { (index, await reach(server)) } }
            var reached: [(Int, BootstrapServer)] = []
            for await server in group { reached.append(server) }
            return reached.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func reach(_ server: String) async -> BootstrapServer {
        let complaints = Locked<[String]>([])
        var cluster = quiet { line in
            guard line.facility == "FAIL" || line.level <= .warning else { return }
            complaints.withLock { $0.append(line.message) }
        }
        cluster.bootstrapServers = server
        // A TLS port closes connections that do not speak TLS; this logs such a close.
        cluster.properties["log.connection.close"] = "true"
        cluster.properties["socket.connection.setup.timeout.ms"] = "\(max(1, patience.components.seconds - 1) * 1000)"
        do throws(KafkaError) {
            let topics = try await KafkaAdmin(cluster).topics(timeout: patience)
            let brokers = Set(topics.flatMap(\.partitions).flatMap(\.replicas)).count
            return BootstrapServer(address: server, brokerCount: max(1, brokers))
        } catch {
            return BootstrapServer(
                address: server,
                failure: UnreachableBroker(error, complaints: complaints.withLock { $0 })
            )
        }
    }

    private func fact(of server: BootstrapServer, isOnly: Bool) -> CheckFact {
        guard let failure = server.failure else {
            return .ok(
                .kafka,
                server.address,
                "reached\(security); it lists \(counted(server.brokerCount ?? 1, "broker"))"
            )
        }
        guard isOnly else {
            return .advice(
                .kafka,
                server.address,
                failure.code,
                "\(failure.message). Other brokers of the list respond"
            )
        }
        return .problem(failure.kind, .kafka, server.address, failure.code, failure.message)
    }

    /// The security of the connection, in words.
    private var security: String {
        switch settings.kafka.security {
        case .plaintext: ", unencrypted and without authentication"
        case .tls: " with TLS"
        case .sasl(_, let tls): tls == nil ? ", authenticated, unencrypted" : " with TLS, authenticated"
        }
    }

    // MARK: Topics

    private func topicFacts(_ present: [PresentTopic]) async -> [CheckFact] {
        let findings = TopicFinding.all(in: present, partitions: nil)
        var facts: [CheckFact] = []
        for topic in present {
            let found = findings.filter { $0.topic == topic.needed.name }.map(fact)
            let partitions = counted(topic.topic?.partitions.count ?? 0, "partition")
            let message = "\(partitions) on \(counted(topic.replicas, "broker")), as needed"
            for fact in found.isEmpty ? [.ok(.topic, topic.needed.name, message)] : found { facts.fold(fact) }
        }
        return facts
    }

    private func fact(of finding: TopicFinding) -> CheckFact {
        guard finding.isProblem else { return .advice(.topic, finding.topic, .topicUnfit, finding.message) }
        guard finding.remedy == .create else {
            return .problem(.refused, .topic, finding.topic, .topicUnfit, finding.message)
        }
        // Brokers do not list topics that the user may not see.
        let hint = isNamed ? ", or our user may not see it (right Describe)" : ""
        let message = "is missing\(hint): make it with 'newsflash topics apply'"
        return .problem(.refused, .topic, finding.topic, .topicMissing, message)
    }

    /// Whether we authenticate, so that brokers may have ACLs for us.
    private var isNamed: Bool {
        if case .plaintext = settings.kafka.security { false } else { true }
    }
}
