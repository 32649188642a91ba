import NewsSubscriptions
import NewsflashHTTPTransport
import NewsflashHubEmulator
import NotificationHubs
import Testing

/// Failures between a device and the hub, over HTTP.
@Suite(.timeLimit(.minutes(1)))
struct LostRegistrationTests {
    private static let phone = PushChannel.apns(deviceToken: "ABCD")

    @Test(arguments: [410, 404])
    func `an id that the hub has dropped is dropped by the app, and both steps are repeated`(status: Int) async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.world])
            _ = stand.network.removeCalls()
            stand.hub.setFault(Fault(status: status, remaining: 1))
            #expect(try await app.subscribe(to: [.sports]) == .registered)
            #expect(stand.network.removeCalls().map { $0.prefix(4) } == ["PUT ", "POST", "PUT "])
        }
    }

    @Test func `both steps are repeated only once, and the wish is stored`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            let fault = try #require(FaultScope.Pattern("PUT /newsdesk/registrations"))
            var gone = Fault(status: 410)
            gone.scope.requests = [fault]
            stand.hub.setFault(gone)
            let outcome = try await app.subscribe(to: [.sports])
            guard case .pending(let error) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.code == .gone)
            #expect(stand.network.removeCalls().map { $0.prefix(4) } == ["GET ", "POST", "PUT ", "POST", "PUT "])
            stand.hub.setFault(nil)
            #expect(try await stand.launchedApp().register(Self.phone) == .registered)
        }
    }

    @Test func `a registration without a network is pending and repeated at the next launch`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            stand.network.setOffline(true)
            try await app.register(Self.phone)
            let outcome = try await app.subscribe(to: [.world])
            guard case .pending(let error) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.code == .offline)
            #expect(error.description == "the hub could not be reached (cannot_connect) [offline]")
            #expect(try await app.status() == .pending(since: stand.clock.now))
            let time = stand.clock.now
            stand.clock.advance(.seconds(60))
            #expect(try await stand.launchedApp().status() == .pending(since: time))
            stand.network.setOffline(false)
            #expect(try await stand.launchedApp().register(Self.phone) == .registered)
            #expect(try await stand.registrations().count == 1)
        }
    }

    @Test func `an id that was assigned before the network failed is used at the next launch`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            var busy = Fault(status: 503, retryAfter: .seconds(7))
            busy.scope.requests = [try #require(FaultScope.Pattern("PUT /newsdesk/registrations"))]
            stand.hub.setFault(busy)
            guard case .pending(let error) = try await app.subscribe(to: [.world]) else {
                Issue.record("not pending")
                return
            }
            #expect(error.code == .unavailable)
            #expect(error.retryAfter == .seconds(7))
            stand.hub.setFault(nil)
            _ = stand.network.removeCalls()
            #expect(try await stand.launchedApp().register(Self.phone) == .registered)
            #expect(stand.network.removeCalls().map { $0.prefix(4) } == ["PUT "])
        }
    }

    @Test func `a missing hub is reported`() async throws {
        try await Newsstand.open { stand in
            let app = NewsSubscriber(
                registrar: try .hub(connection: stand.listen, name: "elsewhere", transport: stand.network),
                storage: stand.storage
            )
            try await app.register(Self.phone)
            let error = await #expect(throws: SubscriptionError.self) { try await app.subscribe(to: [.world]) }
            #expect(error?.code == .notFound)
            #expect(error?.isRetriable == false)
        }
    }

    @Test func `a key that the hub does not know is reported, and the error does not contain it`() async throws {
        try await Newsstand.open { stand in
            let endpoint = try HubConnectionString(stand.listen).endpoint.url
            let wrong =
                "Endpoint=\(endpoint)/;SharedAccessKeyName=DefaultListenSharedAccessSignature;SharedAccessKey=hush"
            let app = NewsSubscriber(
                registrar: try .hub(connection: wrong, name: Newsstand.hubName, transport: stand.network),
                storage: stand.storage
            )
            try await app.register(Self.phone)
            let error = try #require(
                await #expect(throws: SubscriptionError.self) { try await app.subscribe(to: [.world]) }
            )
            #expect(error.code == .keyRefused)
            #expect(!"\(error)".contains("hush"))
        }
    }

    @Test func `a user who wants nothing leaves the hub and returns with a new registration`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.world])
            #expect(try await app.subscribe(to: []) == .notRegistered)
            #expect(try await stand.registrations().isEmpty)
            #expect(try await app.subscribe(to: [.sports]) == .registered)
            _ = stand.network.removeRequests()
            #expect(try await app.unregister() == .notRegistered)
            let removals = stand.network.removeRequests()
            #expect(removals.map(\.method) == [.delete])
            #expect(removals.first?.headers["If-Match"] == "*", "whatever version the hub has")
            #expect(try await stand.registrations().isEmpty)
            #expect(try await app.choice().categories == [.sports])
        }
    }

    @Test func `a failed removal is repeated at the next launch`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.world])
            stand.network.setOffline(true)
            guard case .pending = try await app.subscribe(to: []) else {
                Issue.record("not pending")
                return
            }
            #expect(try await app.status() == .pending(since: stand.clock.now))
            stand.network.setOffline(false)
            #expect(try await stand.launchedApp().register(Self.phone) == .notRegistered)
            #expect(try await stand.registrations().isEmpty)
        }
    }

    @Test func `an app with a lost storage finds its registration by the handle, and removes a second one`()
        async throws
    {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            try await app.subscribe(to: [.world])
            // Another registration of the same device, from an earlier version.
            let hub = try stand.hubClient()
            _ = try await hub.createRegistration(RegistrationDescription(channel: Self.phone, tags: [Tag("Sports")]))
            for key in stand.storage.all.keys { try stand.storage.store(nil, forKey: key) }
            _ = stand.network.removeCalls()
            let again = try stand.launchedApp()
            try await again.register(Self.phone)
            #expect(try await again.subscribe(to: [.science]) == .registered)
            let registrations = try await stand.registrations()
            #expect(registrations.map { $0.description.tags.map(\.description) } == [["Science"]])
            #expect(stand.network.removeCalls().map { $0.prefix(4) } == ["GET ", "PUT ", "DELE"])
        }
    }

    @Test func `the last of simultaneous wishes counts, and none makes a second registration`() async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(Self.phone)
            await withTaskGroup { group in
                for category in NewsCategory.breakingNews {
                    group.addTask { _ = try? await app.subscribe(to: [category]) }
                }
            }
            let registrations = try await stand.registrations()
            #expect(registrations.count == 1)
            let stored = try await app.choice()
            #expect(registrations.first?.description.tags == stored.categories.map(\.tag))
        }
    }
}
