import NotificationHubs
import Testing

@Suite("Registrations of installations", .timeLimit(.minutes(1)))
struct InstallationRegistrationsTests {
    @Test
    func `an installation is a native registration and one for each template and tile`() throws {
        let text = """
            {"platform":"wns","pushChannel":"https://a","userId":"u","tags":["a","b"],"pushVariables":{"v":"1"},\
            "templates":{"One":{"body":"1","headers":{"h":"w"},"tags":["b","c"]},"Two words":{"body":"2"}},\
            "secondaryTiles":{"s":{"pushChannel":"https://b","tags":["d"],"templates":{"T":{"body":"3"}}}}}
            """
        let registrations = try InstallationJSON.read(Array(text.utf8), id: "i").registrations()
        let hub = "$InstallationId:{i} $UserId:{u} "
        #expect(
            registrations.map { $0.tags.map(\.description).joined(separator: " ") } == [
                hub + "a b", hub + "a b c One", hub + "a b", hub + "d", hub + "d T",
            ]
        )
        #expect(registrations.map { $0.template?.body } == [nil, "1", "2", nil, "3"])
        #expect(
            registrations.map(\.channel.handle) == Array(repeating: "https://a", count: 3) + ["https://b", "https://b"]
        )
        #expect(registrations.map(\.secondaryTileName) == [nil, nil, nil, "s", "s"])
        #expect(registrations[1].template?.headers == [NamedValue("h", "w")])
        #expect(registrations.allSatisfy { $0.pushVariables == [NamedValue("v", "1")] })
    }

    @Test
    func `a user's tag is not repeated if it is among the tags`() throws {
        let installation = try Installation(
            id: "i",
            channel: .gcm(registrationID: "g"),
            userID: "u",
            tags: [Tag("a"), .user("u")]
        )
        #expect(
            installation.registrations()[0].tags.map(\.description) == ["$InstallationId:{i}", "$UserId:{u}", "a"]
        )
    }
}
