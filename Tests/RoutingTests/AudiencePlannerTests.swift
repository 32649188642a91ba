import NewsflashEvents
import NewsflashTestSupport
import NotificationHubs
import Testing

@testable import NewsflashRouting

@Suite(.timeLimit(.minutes(1)))
struct AudiencePlannerTests {
    @Test(
        arguments: [
            ("{category}", 20, "world sports", "en fr", ["sports || world"]),
            (
                "{category}.{locale}", 20, "world sports world", "en pt-BR",
                ["sports.en || world.en", "sports.pt-BR || world.pt-BR"]
            ),
            (
                "breaking.{category}", 2, "e d c b a", "en",
                ["breaking.a || breaking.b", "breaking.c || breaking.d", "breaking.e"]
            ),
            ("test", 20, "world sports", "en fr", ["test"]),
            ("{locale}", 20, "world sports", "en fr", ["en", "fr"]),
            ("{category}", 20, "", "en", []),
        ] as [(String, Int, String, String, [String])]
    )
    func `categories become expressions`(
        _ pattern: String,
        _ maximum: Int,
        _ categories: String,
        _ locales: String,
        _ expressions: [String]
    ) throws {
        let planner = AudiencePlanner(pattern: try TagPattern(pattern), maximumTags: maximum)
        let plan = try planner.plan(
            categories: categories.split(separator: " ").map(String.init),
            locales: locales.split(separator: " ").map(String.init)
        )
        #expect(plan.map(\.expression.description) == expressions)
    }

    @Test func `a planned audience has its language and categories`() throws {
        let planner = AudiencePlanner(pattern: try TagPattern("{category}.{locale}"), maximumTags: 1)
        let plan = try planner.plan(categories: ["b", "a"], locales: ["fr"])
        #expect(plan.map(\.locale) == ["fr", "fr"])
        #expect(plan.map(\.categories) == [["a"], ["b"]])
        let constant = AudiencePlanner(pattern: try TagPattern("all"))
        #expect(try constant.plan(categories: ["b", "a"], locales: []).map(\.categories) == [["a", "b"]])
    }

    @Test func `no tag is in two expressions, none is lost, and none is too long`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let maximum = Int.random(in: 1...20, using: &random)
            let patterns = ["{category}", "{category}.{locale}", "{category}{locale}", "x:{locale}:{category}"]
            let pattern = try TagPattern(patterns.randomElement(using: &random) ?? "{category}")
            let categories = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                String(
                    (0..<Int.random(in: 1...2, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" }
                )
            }
            let locales = ["a", "b", "ab"].shuffled(using: &random)
            let planner = AudiencePlanner(pattern: pattern, maximumTags: maximum)
            let plan = try planner.plan(categories: categories, locales: locales)
            #expect(plan.allSatisfy { (1...maximum).contains($0.expression.tags.count) }, "seed \(seed)")
            let tags = plan.flatMap(\.expression.tags)
            #expect(Set(tags).count == tags.count, "seed \(seed)")
            let wanted = try categories.flatMap { category in
                try (pattern.hasLocale ? locales : [""]).map { try pattern.tag(category: category, locale: $0) }
            }
            #expect(Set(tags) == Set(wanted), "seed \(seed)")
            #expect(try planner.plan(categories: categories.shuffled(using: &random), locales: locales) == plan)
        }
    }

    @Test(arguments: ["", "a/b", "{category}/{locale}", "{tag}", "{category", "x y", "{category}}"])
    func `a pattern that makes no tag is refused`(_ pattern: String) {
        #expect(throws: ValidationProblem.self) { try TagPattern(pattern) }
    }

    @Test(arguments: [(0, 25), (-1, 25), (1, 25), (20, 2), (21, 2), (.max, 2)])
    func `an expression has at most the hub's number of tags and is not empty`(maximum: Int, expressions: Int) throws {
        let planner = AudiencePlanner(pattern: try TagPattern("{category}"), maximumTags: maximum)
        #expect(try planner.plan(categories: (1...25).map { "c\($0)" }, locales: []).count == expressions)
    }

    @Test func `categories that make no tag, or one tag twice, are reported`() throws {
        let planner = AudiencePlanner(pattern: try TagPattern("{category}{locale}"))
        let long = String(repeating: "x", count: 119)
        let problems = planner.problems(categories: ["a", "ab", long], locales: ["bc", "c"])
        #expect(problems.map(\.path) == ["send.tags", "categories.\(long)"])
        #expect(throws: ValidationProblem.self) { try planner.plan(categories: [long], locales: ["bc"]) }
    }
}
