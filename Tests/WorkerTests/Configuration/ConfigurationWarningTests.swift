import NewsflashWorker
import Testing

/// Valid settings that a newsroom may want to correct.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationWarningTests {
    private static let head = "version: 1\nhub: regional\n"
    private static let locales = "locales: { offered: [en, fr], default: en }\n"
    private static let categories = "categories: { World: [world] }\n"

    /// The paths of the warnings of a text, without those about missing texts and secrets.
    private func warnings(_ text: String) throws -> [String] {
        try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").warnings
            .filter { $0.path != "text.kill" && $0.path != "hub" }
            .map { "\($0.line ?? 0) \($0.path)" }
    }

    @Test(arguments: [
        // Norwegian; other readers of YAML parse `no` as false.
        ("locales: { offered: [en, no], default: en }\n" + categories, ["3 locales.offered[1]"]),
        ("locales: { offered: [no], default: no }\n" + categories, ["3 locales.offered[0]", "3 locales.default"]),
        ("locales: { offered: [en, \"no\"], default: en }\n" + categories, []),
        (
            "locales: { offered: [en, \"no\"], default: en }\n" + categories
                + "text: { kill: { en: \"A: {headline}\", no: \"B: {headline}\" } }",
            ["5 text.kill.no"]
        ),
        // Categories and their codes.
        (locales + "categories: { World: [world], Test: [] }\n", ["4 categories.Test"]),
        (locales + "categories: { World: [world], Rest: [] }\nunknown: Rest\n", []),
        (
            locales + "categories: { World: [\"medtop:20000064\", \"medtop:29999999\"] }\n",
            [
                "4 categories.World[0]", "4 categories.World[1]",
            ]
        ),
        // More tags for one event than fit into one request.
        (locales + "categories: { region: { each: \"geo:*\", tag: \"geo.{code}\" } }\n", ["0 send.tags"]),
        (locales + "categories: { region: { each: \"team:*\", tag: \"team.{code}\" } }\n", []),
        (locales + "categories: { A: [a], B: [b], C: [c] }\nsend: { maximumTags: 2 }\n", ["5 send.tags"]),
        (locales + "categories: { A: [a], B: [b] }\nsend: { maximumTags: 2 }\n", []),
        (locales + "categories: { A: [a], B: [b] }\nsend: { maximumTags: 1, tags: \"all.{locale}\" }\n", []),
        // Texts that lose the headline, and selections by values that never occur.
        (
            locales + categories
                + "text: { flash: \"This is breaking news from the desk of the newspaper: {headline}\", kill: \"{headline}\" }\n"
                + "limits: { headline: 50 }\n",
            ["5 text.flash"]
        ),
        (locales + categories + "text: { alert: \"News\", kill: \"{headline}\" }\n", ["5 text.alert"]),
        (
            locales + categories
                + "text: { alert: \"{kind, select, flahs {!} other {}}{headline}\", kill: \"{headline}\" }\n",
            ["5 text.alert"]
        ),
        (
            locales + "categories: { World: [world], geo: { each: \"geo:*-*\", tag: \"g.{code}\" } }\n"
                + "send: { properties: { a: \"{category, select, World {} g.CZ {} other {}}\", b: \"{category, select, "
                + "Wrold {} other {}}\" } }\n",
            ["5 send.properties.b"]
        ),
        // Too few connections for a flash.
        (locales + categories + "delivery: { concurrency: 20, connections: 27 }\n", ["5 delivery.connections"]),
        (locales + categories + "delivery: { concurrency: 20, connections: 28 }\n", []),
        (locales + categories + "delivery: { connections: 20, expressReserve: 0, concurrency: 20 }\n", []),
    ])
    func `a questionable setting causes a warning with its line`(lines: String, expected: [String]) throws {
        #expect(try warnings(Self.head + lines) == expected)
    }

    @Test func `a family whose longest codes make tags too long is refused`() {
        let text =
            Self.head + Self.locales
            + "categories: { region: { each: \"geo:*\", tag: \"geo.{code}\" } }\n"
            + "send: { tags: \"the-breaking-news-of-today.{category}.{locale}\" }\n"
        #expect(
            SoundConfiguration.problems(in: text) == [
                "line 4: categories.region.tag: makes tags longer than 120 characters from its longest codes; shorten the tag"
            ]
        )
    }
}
