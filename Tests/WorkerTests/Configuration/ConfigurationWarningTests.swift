import Testing
import Worker

/// What works, and a newsroom may want to mend.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationWarningTests {
    private static let head = "version: 1\nhub: regional\n"
    private static let locales = "locales: { offered: [en, fr], default: en }\n"
    private static let categories = "categories: { World: [world] }\n"

    /// Paths of the warnings of a text, without those of words and secrets that are missing altogether.
    private func warnings(_ text: String) throws -> [String] {
        try ConfigurationReader(environment: [:]).read(text: text, source: "test.yaml").warnings
            .filter { $0.path != "text.kill" && $0.path != "hub" }
            .map { "\($0.line ?? 0) \($0.path)" }
    }

    @Test(arguments: [
        // Norwegian, which other readers of YAML take for false.
        ("locales: { offered: [en, no], default: en }\n" + categories, ["3 locales.offered[1]"]),
        ("locales: { offered: [no], default: no }\n" + categories, ["3 locales.offered[0]", "3 locales.default"]),
        ("locales: { offered: [en, \"no\"], default: en }\n" + categories, []),
        (
            "locales: { offered: [en, \"no\"], default: en }\n" + categories
                + "text: { kill: { en: \"A: {headline}\", no: \"B: {headline}\" } }",
            ["5 text.kill.no"]
        ),
        // Categories.
        (locales + "categories: { World: [world], Test: [] }\n", ["4 categories.Test"]),
        (locales + "categories: { World: [world], Rest: [] }\nunknown: Rest\n", []),
        (
            locales + "categories: { World: [\"medtop:20000064\", \"medtop:29999999\"] }\n",
            [
                "4 categories.World[0]", "4 categories.World[1]",
            ]
        ),
        // More tags of one event than one request takes.
        (locales + "categories: { region: { each: \"geo:*\", tag: \"geo.{code}\" } }\n", ["0 send.tags"]),
        (locales + "categories: { region: { each: \"team:*\", tag: \"team.{code}\" } }\n", []),
        (locales + "categories: { A: [a], B: [b], C: [c] }\nsend: { maximumTags: 2 }\n", ["5 send.tags"]),
        (locales + "categories: { A: [a], B: [b] }\nsend: { maximumTags: 2 }\n", []),
        (locales + "categories: { A: [a], B: [b] }\nsend: { maximumTags: 1, tags: \"all.{locale}\" }\n", []),
        // Words that lose the headline, and choices by what never occurs.
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
        // A flash that finds no connection.
        (locales + categories + "delivery: { concurrency: 20, connections: 27 }\n", ["5 delivery.connections"]),
        (locales + categories + "delivery: { concurrency: 20, connections: 28 }\n", []),
        (locales + categories + "delivery: { connections: 20, expressReserve: 0, concurrency: 20 }\n", []),
    ])
    func `what is odd is told where it stands`(lines: String, expected: [String]) throws {
        #expect(try warnings(Self.head + lines) == expected)
    }

    @Test func `a family whose longest codes make no tag is refused`() {
        let text =
            Self.head + Self.locales
            + "categories: { region: { each: \"geo:*\", tag: \"geo.{code}\" } }\n"
            + "send: { tags: \"the-breaking-news-of-today.{category}.{locale}\" }\n"
        #expect(
            SoundConfiguration.problems(in: text) == [
                "line 4: categories.region.tag: makes tags of more than 120 characters of its longest codes; shorten the tag"
            ]
        )
    }
}
