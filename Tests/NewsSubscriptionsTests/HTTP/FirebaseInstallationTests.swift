import NewsSubscriptions
import NotificationHubs
import Testing

/// An app of Firebase that moves from registration tokens to installation IDs, at the hub itself.
@Suite(.timeLimit(.minutes(1)))
struct FirebaseInstallationTests {
    private static let fid = "cRxdF0A5TTSGbb8uYyDk-I"
    private static let token = fid + ":APA91bGx7-a_9"

    @Test(arguments: [(token, fid), (fid, token)])
    func `the other handle of an installation replaces the first in the same registration`(
        first: String,
        second: String
    ) async throws {
        try await Newsstand.open { stand in
            let app = try stand.launchedApp()
            try await app.register(.fcmv1(registrationID: first))
            #expect(try await app.subscribe(to: [.world]) == .registered)
            #expect(try await stand.launchedApp().register(.fcmv1(registrationID: second)) == .registered)
            #expect(try await stand.registrations().map(\.description.channel.handle) == [second])
            #expect(try await stand.sendTemplate(#"{"messageParam":"Rain"}"#, to: "World") == 201)
            #expect(stand.notifications().mapValues(\.count) == [second: 1])
        }
    }

    @Test func `an app with a lost storage and a token finds the registration of its installation ID`() async throws {
        try await Newsstand.open { stand in
            for handle in [Self.fid, Self.token] {
                for key in stand.storage.all.keys { try stand.storage.store(nil, forKey: key) }
                let app = try stand.launchedApp()
                try await app.register(.fcmv1(registrationID: handle))
                #expect(try await app.subscribe(to: [.world]) == .registered)
            }
            #expect(try await stand.registrations().map(\.description.channel.handle) == [Self.token])
        }
    }
}
