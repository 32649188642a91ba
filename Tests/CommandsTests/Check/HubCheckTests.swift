import FoundationEssentials
import NewsflashCurlTransport
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The facts of `newsflash check` about hubs, found by requests that send nothing.
@Suite(.timeLimit(.minutes(1)))
struct HubCheckTests {
    private static let rules = [
        AccessRule(name: "worker", key: SharedAccessKey("c2VjcmV0"), claims: [.send]),
        AccessRule(name: "app", key: SharedAccessKey("bGlzdGVu"), claims: [.listen]),
        AccessRule(name: "all", key: SharedAccessKey("YWxs"), claims: [.send, .listen, .manage]),
    ]

    /// Returns the facts about a hub, and expects that nothing was sent.
    private func facts(
        _ adjust: (inout WorkerConfiguration, HubEmulator) throws -> Void = { _, _ in },
        hub adjustHub: (inout HubEmulatorConfiguration) -> Void = { _ in },
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) async throws -> [CheckFact] {
        var settings = HubEmulatorConfiguration()
        settings.rules = Self.rules
        adjustHub(&settings)
        let hub = HubEmulator(settings)
        try hub.start()
        var newsroom = try CheckedNewsroom(KafkaConfiguration(bootstrapServers: "127.0.0.1:1", clientID: "tests"))
        newsroom.set(connectionString: (hub.connectionStrings + hub.secureConnectionStrings).first ?? "")
        try adjust(&newsroom.configuration, hub)
        let transport = try CurlTransport(newsroom.configuration.transport)
        let checkup = HubCheckup(
            hub: newsroom.configuration.hub,
            transport: transport,
            nobody: newsroom.configuration.publishing.probe.expression,
            clockSkew: .seconds(300),
            servesGateway: newsroom.configuration.gateway != .usual,
            clock: clock
        )
        let facts = await checkup.facts()
        transport.shutdown()
        await hub.stop()
        #expect(hub.sends.isEmpty)
        return facts
    }

    private func connect(_ configuration: inout WorkerConfiguration, _ text: String) {
        configuration.hubs[0].credentials = .variable("HUB", value: text)
    }

    @Test func `a hub that accepts our sends is fine, and nothing is sent`() async throws {
        let facts = try await facts()
        #expect(facts.map(\.status) == [.ok, .ok])
        let message = facts.first?.message
        #expect(message?.hasSuffix("responds; the key is valid and has the claim Send. Nothing was sent") == true)
    }

    @Test func `a name without an address is a problem`() async throws {
        let facts = try await facts { configuration, _ in
            connect(&configuration, "Endpoint=sb://no-hub.invalid/;SharedAccessKeyName=worker;SharedAccessKey=c2VjcmV0")
        }
        let fact = try facts.only(.nameUnknown)
        #expect(fact.status == .problem(.unreachable))
        #expect(fact.message.contains("no-hub.invalid"))
        #expect(fact.message.contains("DNS"))
    }

    @Test func `a port without a listener is a problem`() async throws {
        let facts = try await facts { configuration, _ in connect(&configuration, CheckedNewsroom.nowhere) }
        #expect(try facts.only(.portClosed).status == .problem(.unreachable))
    }

    @Test func `an untrusted certificate is a problem until its file is given`() async throws {
        func secure(_ hub: inout HubEmulatorConfiguration) {
            hub.servesPlainHTTP = false
            hub.tls = HubTLS()
        }
        let fact = try await facts(hub: secure).only(.tlsFailed)
        #expect(fact.status == .problem(.refused))
        #expect(fact.message.contains("delivery.caFile"))
        let folder = try TemporaryFolder()
        func trust(_ configuration: inout WorkerConfiguration, _ hub: HubEmulator) throws {
            let authority = Data(try #require(hub.authority))
            #expect(FileManager.default.createFile(atPath: folder.file("hub.pem"), contents: authority))
            configuration.transport.caFile = folder.file("hub.pem")
        }
        let trusted = try await facts(trust, hub: secure)
        #expect(trusted.map(\.status) == [.ok, .ok])
    }

    @Test func `a wrong key is a problem, and the key is not shown`() async throws {
        let facts = try await facts { configuration, hub in
            connect(&configuration, (hub.connectionStrings.first ?? "").replacing("c2VjcmV0", with: "d3Jvbmc"))
        }
        let fact = try facts.only(.keyRefused)
        #expect(fact.status == .problem(.refused))
        #expect(fact.message.contains("(401, InvalidSignature"))
        #expect(fact.message.contains("into variable HUB"))
        #expect(!facts.contains { $0.message.contains("d3Jvbmc") })
    }

    @Test func `a policy that may listen and not send is a problem`() async throws {
        let facts = try await facts { configuration, hub in connect(&configuration, hub.connectionStrings[1]) }
        let fact = try facts.only(.claimMissing)
        #expect(fact.message.contains("(403)"))
        #expect(fact.message.contains("the claim Send"))
    }

    @Test func `a missing hub is a problem`() async throws {
        let facts = try await facts { configuration, _ in configuration.hubs[0].name = "other" }
        #expect(try facts.only(.hubMissing).message.contains("(404"))
    }

    @Test func `a busy hub is not a problem, a broken hub is`() async throws {
        let busy = try await facts(hub: { $0.faults = [Fault(status: 429)] })
        #expect(try busy.only(.throttled).status == .advice)
        let broken = try await facts(hub: { $0.faults = [Fault(status: 503)] })
        #expect(try broken.only(.unavailable).status == .problem(.unreachable))
    }

    @Test func `a wrong clock is a problem`() async throws {
        let slow = try await facts(clock: { .now() - .seconds(60) }).only(.clockSkew)
        #expect(slow.status == .advice)
        #expect(slow.message.contains("s behind the clock of hub"))
        let fast = try await facts(clock: { .now() + .seconds(900) }).only(.clockSkew)
        #expect(fast.status == .problem(.refused))
    }

    @Test func `a missing or unreadable secret is a problem`() async throws {
        let none = try await facts { configuration, _ in configuration.hubs[0].credentials = nil }
        #expect(try none.only(.secretUnreadable).status == .problem(.configuration))
        let unread = try await facts { configuration, _ in
            configuration.hubs[0].credentials = .file("/no/such/file")
        }
        #expect(try unread.only(.secretUnreadable).message.contains("/no/such/file"))
    }

    @Test func `a gateway needs a key with more rights`() async throws {
        func asGateway(_ configuration: inout WorkerConfiguration) { configuration.gateway.publishers = ["desk"] }
        let poor = try await facts { configuration, _ in asGateway(&configuration) }
        #expect(poor.filter { $0.code == .claimMissing }.map(\.status) == [.advice, .advice])
        let rich = try await facts { configuration, hub in
            asGateway(&configuration)
            connect(&configuration, hub.connectionStrings[2])
        }
        #expect(rich.map(\.status) == [.ok, .ok, .ok, .ok])
    }
}
