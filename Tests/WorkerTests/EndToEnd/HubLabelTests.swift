import NewsflashEvents
import NewsflashHubEmulator
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

/// A hub's label in the configuration is its identity in the ledger.
@Suite(.timeLimit(.minutes(4)))
struct HubLabelTests {
    private static let alert = Desk.event("alert", story: "a")
    private static let kill: NewsEvent = {
        var kill = Desk.event("kill", story: "a", revision: 2, kind: .kill)
        kill.categories = []
        return kill
    }()

    /// Runs a test with a second hub of the same name, at an endpoint of its own.
    private func withTwoHubs(_ body: (Newsroom, _ other: HubEmulator, _ otherKey: KeyFile) async throws -> Void)
        async throws
    {
        let other = HubEmulator()
        try other.start()
        do {
            try await Newsroom.open { newsroom in
                let key = try KeyFile(try #require(other.connectionStrings.first))
                try await newsroom.withWorker { _ in
                    try await newsroom.publish([Self.alert])
                    _ = try await newsroom.finalOutcomes(1)
                }
                try await newsroom.publish([Self.kill])
                try await body(newsroom, other, key)
            }
        } catch {
            await other.stop()
            throw error
        }
        await other.stop()
    }

    /// Returns the newsroom's configuration with other hubs.
    private func configuration(_ newsroom: Newsroom, hubs: String) throws -> WorkerConfiguration {
        let lines = newsroom.text.split(separator: "\n").map {
            $0.hasPrefix("hubs:") ? "hubs: { \(hubs) }" : String($0)
        }
        return try ConfigurationReader(environment: [:]).read(text: lines.joined(separator: "\n"), source: "test")
            .configuration
    }

    private func address(_ hub: HubEmulator) throws -> String {
        let connection = try HubConnectionString(try #require(hub.connectionStrings.first))
        return "\(connection.endpoint.authority)/newsroom"
    }

    private func ids(_ hub: HubEmulator) -> [String] { hub.pushes.compactMap { $0.property("id") } }

    @Test func `a new first hub with the same name adopts nothing of the hub that sent the alert`() async throws {
        try await withTwoHubs { newsroom, other, otherKey in
            let changed = try configuration(
                newsroom,
                hubs: """
                    north: { name: newsroom, connectionStringFile: "\(otherKey.path)" }, \
                    main: { name: newsroom, connectionStringFile: "\(newsroom.keyFile.path)" }
                    """
            )
            try await newsroom.withWorker(changed) { _ in _ = try await newsroom.finalOutcomes(2) }
            #expect(ids(newsroom.hub) == ["alert", "kill"])
            #expect(ids(other) == [])
        }
    }

    @Test func `a label with another endpoint is refused with three remedies, and nothing is lost`() async throws {
        try await withTwoHubs { newsroom, other, otherKey in
            let changed = try configuration(
                newsroom,
                hubs: #"main: { name: newsroom, connectionStringFile: "\#(otherKey.path)" }"#
            )
            let ledgerEnd = try await newsroom.end(of: newsroom.names.ledger)
            let worker = try await newsroom.startWorker(changed)
            let fault = await worker.waitForFault()
            await worker.stop()
            #expect(fault?.isOfConfiguration == true)
            let (old, new) = (try address(newsroom.hub), try address(other))
            for part in [
                "hubs.main: the ledger of \(newsroom.names.source)[0]", "sent to \(old), and this", "makes it \(new).",
                "(a) Give the new hub a label of its own", "(b) Restore the endpoint and name of 'main'",
                "hubs.main.replaces: \(old)",
            ] {
                #expect(fault?.description.contains(part) == true, "\(part)")
            }
            #expect(try await newsroom.end(of: newsroom.names.ledger) == ledgerEnd)
            #expect(try await newsroom.progress().committed == [1])
            #expect(ids(newsroom.hub) == ["alert"])
            #expect(ids(other) == [])

            try await newsroom.withWorker { _ in _ = try await newsroom.finalOutcomes(2) }
            #expect(ids(newsroom.hub) == ["alert", "kill"])
        }
    }

    @Test func `a label that replaces the endpoint in the ledger sends to the new one, and the old is refused`()
        async throws
    {
        try await withTwoHubs { newsroom, other, otherKey in
            let changed = try configuration(
                newsroom,
                hubs: """
                    main: { name: newsroom, connectionStringFile: "\(otherKey.path)", \
                    replaces: "\(try address(newsroom.hub))" }
                    """
            )
            try await newsroom.withWorker(changed) { _ in _ = try await newsroom.finalOutcomes(2) }
            #expect(ids(newsroom.hub) == ["alert"])
            #expect(ids(other) == ["kill"])
            let refusals = newsroom.reports.events.filter { if case .refused = $0 { true } else { false } }
            #expect(refusals == [])
            let worker = try await newsroom.startWorker()
            let fault = await worker.waitForFault()
            await worker.stop()
            #expect(fault?.description.contains("sent to \(try address(other)), and this") == true)
        }
    }
}
