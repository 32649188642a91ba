import NewsflashPublishing
import NewsflashRendering
import NewsflashRouting
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashWorker

/// Several hubs, one of which may be for tests.
@Suite(.timeLimit(.minutes(1)))
struct HubSettingsTests {
    private static func text(_ hubs: String) -> String {
        SoundConfiguration.text.replacing("hub: regional", with: "hubs:\n" + hubs)
    }

    private func read(_ hubs: String, environment: [String: String] = [:]) throws -> ReadConfiguration {
        try ConfigurationReader(environment: environment).read(text: Self.text(hubs), source: "test.yaml")
    }

    private static func key(_ host: String) -> String {
        "Endpoint=sb://\(host)/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
    }

    @Test
    func `each hub has its own mode, tags and formats, or those of send`() throws {
        let configuration = try read(
            """
              main: { name: newsroom }
              south: { name: newsroom-south, tags: "{category}.{locale}" }
              test: { name: newsroom-test, tags: "test" }
              drill: { name: newsroom-drill, mode: test }
            send: { tags: "breaking.{category}" }
            """
        ).configuration
        #expect(configuration.hubs.map(\.label) == ["main", "south", "test", "drill"])
        #expect(configuration.hubs.map(\.mode) == [.live, .live, .test, .test])
        #expect(configuration.hubs.allSatisfy { $0.forms == [.template] })
        let tags = try configuration.hubs.map {
            try $0.audiences.plan(categories: ["World"], locales: ["en", "fr"]).map(\.expression.description)
        }
        #expect(tags == [["breaking.World"], ["World.en", "World.fr"], ["test"], ["breaking.World"]])
        #expect(configuration.hub.label == "main")
        #expect(
            configuration.core.hubs.map(\.name) == ["main", "south", "test", "drill"]
        )
    }

    @Test
    func `the short form is one live hub`() throws {
        let hubs = try SoundConfiguration.read().hubs
        #expect(hubs.map(\.label) == ["main"])
        #expect(hubs.map(\.name) == ["regional"])
        #expect(hubs.map(\.mode) == [.live])
    }

    @Test(arguments: [
        // The older variable applies to the first live hub, wherever the file defines it.
        (["NEWSFLASH_HUB_CONNECTION_STRING": "x"], ["file /t", "variable NEWSFLASH_HUB_CONNECTION_STRING", "none"]),
        (["NEWSFLASH_HUB_CONNECTION_STRING_FILE": "/x"], ["file /t", "file /x", "none"]),
        (
            ["NEWSFLASH_HUBS_SOUTH_CONNECTION_STRING": "x", "NEWSFLASH_HUBS_TEST_CONNECTION_STRING_FILE": "/y"],
            ["file /y", "file /m", "variable NEWSFLASH_HUBS_SOUTH_CONNECTION_STRING"]
        ),
        (
            ["NEWSFLASH_HUBS_MAIN_CONNECTION_STRING": "x"],
            ["file /t", "variable NEWSFLASH_HUBS_MAIN_CONNECTION_STRING", "none"]
        ),
    ])
    func `each hub has its own variables for its secret`(
        environment: [String: String],
        expected: [String]
    ) throws {
        let hubs = try read(
            """
              test: { name: a-test, connectionStringFile: /t }
              main: { name: a, connectionStringFile: /m }
              south: { name: b }
            """,
            environment: environment
        ).configuration.hubs
        #expect(hubs.map { $0.credentials?.description ?? "none" } == expected)
        #expect(hubs.last?.missingCredentials.contains("NEWSFLASH_HUBS_SOUTH_CONNECTION_STRING") == true)
    }

    @Test(arguments: [
        ("  main: { name: a }\n  test: { name: A }", [:]),
        ("  test: { name: a, connectionStringFile: /s }\n  main: { name: a, connectionStringFile: /s }", [:]),
        (
            "  main: { name: a }\n  test: { name: a }",
            [
                "NEWSFLASH_HUB_CONNECTION_STRING": key("one.example"),
                "NEWSFLASH_HUBS_TEST_CONNECTION_STRING": key("ONE.example"),
            ]
        ),
    ])
    func `a test hub that may be a live hub is refused`(
        hubs: String,
        environment: [String: String]
    ) {
        let problems = SoundConfiguration.problems(in: Self.text(hubs), environment: environment)
        #expect(problems.count == 1)
        #expect(problems.first?.contains("hubs.test.name: is the name of the live hub hubs.main") == true)
    }

    @Test
    func `hubs with one name in two namespaces are different hubs`() throws {
        let read = try read(
            "  main: { name: a }\n  test: { name: a }",
            environment: [
                "NEWSFLASH_HUB_CONNECTION_STRING": Self.key("one.example"),
                "NEWSFLASH_HUBS_TEST_CONNECTION_STRING": Self.key("two.example"),
            ]
        )
        #expect(read.configuration.core.hubs.map(\.name) == ["main", "test"])
    }

    @Test
    func `a live hub that is named twice causes a warning`() throws {
        let read = try read(
            "  main: { name: a, connectionStringFile: /s }\n  more: { name: a, connectionStringFile: /s }"
        )
        #expect(read.warnings.map(\.path).filter { $0.hasPrefix("hubs") } == ["hubs.more"])
    }

    @Test(arguments: [
        ("  test: { name: a }", "line 3: hubs: has no live hub; at least one needs 'mode: live'"),
        ("  main: { name: a, mode: loud }", "line 3: hubs.main.mode: 'loud' is not one of: live, test"),
        ("  main: { name: a, tags: \"a/b\" }", "line 3: hubs.main.tags: "),
        ("  main: { name: a, as: telex }", "line 3: hubs.main.as: 'telex' is not one of: template, apns"),
        ("  main: { name: a, as: [] }", "line 3: hubs.main.as: is empty"),
        ("  main: { name: a, tag: b }", "line 3: hubs.main.tag: unknown key"),
        ("  main: { tags: b }", "line 3: hubs.main.name: is missing"),
        (
            "  main: { name: a, replaces: \"sb://old.example/a\" }",
            "line 3: hubs.main.replaces: 'sb://old.example/a' is not "
        ),
        (
            "  main: { name: a, replaces: [old.example] }",
            "line 3: hubs.main.replaces: 'old.example' is not ENDPOINT/NAME"
        ),
    ])
    func `a problem of a hub has its line`(hubs: String, problem: String) {
        let problems = SoundConfiguration.problems(in: Self.text(hubs))
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test(arguments: [
        ("send: { as: apns }", ["send.tags"]), ("send: { as: [apns, template] }", ["send.tags", "send.as"]),
        ("send: { as: apns, tags: \"{category}.{locale}\" }", []), ("send: { as: template }", []),
    ])
    func `tags for several languages, or two notifications for one subscriber, cause a warning`(
        send: String,
        paths: [String]
    ) throws {
        let read = try ConfigurationReader(environment: [:])
            .read(text: SoundConfiguration.text + send, source: "test.yaml")
        #expect(read.warnings.map(\.path).filter { $0.hasPrefix("send") } == paths)
    }
}
