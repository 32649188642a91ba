import NewsflashCurlTransport
import NewsflashGateway
import NewsflashHTTPTransport
import NewsflashJWT
import NewsflashPublishing
package import NewsflashTimestamps
package import NewsflashWorker
import NotificationHubs

/// All checks of `newsflash check`, in order.
package struct Checkup: Sendable {
    /// The configuration's name in messages.
    package let file: String
    package let result: Result<ReadConfiguration, ConfigurationError>
    /// The user whose rights are checked. People on call need neither the hub nor its secret, so these are checked only for a
    /// worker.
    package let user: CheckedUser
    /// Returns the current time.
    package var clock: @Sendable () -> Timestamp = Timestamp.now

    package init(
        file: String,
        result: Result<ReadConfiguration, ConfigurationError>,
        as user: CheckedUser = .worker,
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        self.file = file
        self.result = result
        self.user = user
        self.clock = clock
    }

    /// Checks the configuration, Kafka and the hubs.
    ///
    /// - Parameter tell: Called with each fact as soon as it is found.
    /// - Returns: All facts.
    package func run(_ tell: (CheckFact) -> Void) async -> [CheckFact] {
        var facts: [CheckFact] = []
        func record(_ fact: CheckFact) {
            facts.append(fact)
            tell(fact)
        }
        switch result {
        case .failure(let error):
            for problem in error.problems {
                record(.problem(.configuration, .configuration, place(problem), .invalid, text(problem)))
            }
        case .success(let read):
            for warning in read.warnings { record(.advice(.configuration, place(warning), .invalid, text(warning))) }
            record(.ok(.configuration, file, read.configuration.summary))
            let isWorker = user == .worker
            if isWorker {
                for fact in secureFacts(read.configuration.secure) + gatewayFacts(read.configuration) { record(fact) }
            }
            async let hubs = isWorker ? hubFacts(read.configuration) : []
            let kafka = KafkaCheckup(
                TopicSettings(read.configuration),
                as: user,
                hubs: isWorker ? HubAddresses(read.configuration) : HubAddresses(),
                hasVolumeLimit: read.configuration.publishing.policy.volumeLimits != VolumeLimitPolicy()
            )
            await kafka.run(record)
            for fact in await hubs { record(fact) }
        }
        return facts
    }

    private func place(_ problem: ConfigurationProblem) -> String {
        problem.line.map { "\(file):\($0)" } ?? file
    }

    private func text(_ problem: ConfigurationProblem) -> String {
        problem.path.isEmpty ? problem.message : "\(problem.path): \(problem.message)"
    }

    private func secureFacts(_ secure: SecureSettings) -> [CheckFact] {
        guard let file = secure.keyFile else { return [] }
        guard let problem = secure.problem else {
            return [.ok(.configuration, file, "the key for secure events can be read")]
        }
        return [.problem(.configuration, .configuration, file, .secretUnreadable, problem)]
    }

    private func gatewayFacts(_ configuration: WorkerConfiguration) -> [CheckFact] {
        guard let bearer = configuration.gateway.bearer else { return [] }
        do throws(GatewayStartError) {
            _ = try BearerTokenVerifier(bearer)
            return [.ok(.gateway, bearer.keyFile, "the keys for bearer tokens can be used")]
        } catch {
            return [.problem(.configuration, .gateway, bearer.keyFile, .secretUnreadable, error.message)]
        }
    }

    private func hubFacts(_ configuration: WorkerConfiguration) async -> [CheckFact] {
        let transport: CurlTransport
        do throws(HTTPTransportError) {
            transport = try CurlTransport(configuration.transport)
        } catch {
            return [.problem(.unreachable, .hub, "", .unavailable, error.message)]
        }
        var facts: [CheckFact] = []
        for hub in configuration.hubs {
            let checkup = HubCheckup(
                hub: hub,
                transport: transport,
                nobody: configuration.publishing.probe.expression,
                clockSkew: configuration.publishing.policy.clockSkew,
                servesGateway: configuration.gateway != .usual && hub.mode == .live,
                clock: clock
            )
            facts += await checkup.facts()
        }
        transport.shutdown()
        return facts
    }
}

extension HubAddresses {
    /// Creates the addresses of the hubs whose connection strings can be read; the others are reported separately.
    init(_ configuration: WorkerConfiguration) {
        self.init()
        for hub in configuration.hubs {
            guard let connection = try? hub.credentials?.read() else { continue }
            addresses[hub.label] = connection.address(ofHub: hub.name)
            replaced[hub.label] = hub.replaces
        }
    }
}
