import NewsflashEvents
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@testable import NewsflashRouting

@Suite(.timeLimit(.minutes(1)))
struct CategoryMapTests {
    /// The agency's categories, with the codes of editions and places from the samples' desk.
    private static let agency = [
        CategoryRule(name: "technology", codes: ["technology", "medtop:20000756"]),
        CategoryRule(name: "science", codes: ["science", "medtop:13000000", "medtop:07000000"]),
        CategoryRule(name: "climate", codes: ["medtop:20000418", "medtop:06000000"]),
        CategoryRule(name: "politics", codes: ["politics", "medtop:11000000"]),
        CategoryRule(
            name: "world",
            codes: [
                "world", "medtop:20000638", "medtop:16000000", "medtop:03000000", "medtop:02000000", "medtop:17000000",
                "medtop:14000000",
            ]
        ),
        CategoryRule(name: "business", codes: ["business", "medtop:04000000", "medtop:09000000"]),
        CategoryRule(name: "sports", codes: ["sports", "medtop:15000000"]),
        CategoryRule(name: "edition:cz", codes: ["edition:cz"]),
        CategoryRule(name: "geo:CZ-10", codes: ["geo:CZ-10"]),
    ]

    @Test func `any known one of several codes of one subject counts`() throws {
        let map = try CategoryMap(rules: Self.agency, unknown: .category("world"))
        let route = map.route(["http://tt.se/1|medtop:20000756", "sports|x", "x|y"]).route
        #expect(route.categories == ["sports", "technology", "world"])
        #expect(route.unknown == ["x|y"])
        let strict = try CategoryMap(rules: Self.agency, unknown: .deadLetter)
        guard case .routed = strict.route(["http://tt.se/1|medtop:20000756"]) else {
            Issue.record("a known subject is unknown")
            return
        }
        #expect(map.route(["sports|science"]).route.categories == ["science", "sports"])
    }

    @Test func `every sample has the expected categories`() throws {
        let map = try CategoryMap(rules: Self.agency)
        let decoder = EventDecoder(defaultSource: "urn:desk")
        let events = try TestData.lines(of: "events.ndjson")
        let decisions = try TestData.lines(of: "events.expected.ndjson")
        var checks = 0
        for (line, decision) in zip(events, decisions) {
            let expected = try JSONReader.read(decision)
            guard case .event(let event, _) = decoder.decode(bytes: line), event.kind != .kill else { continue }
            let outcome = map.route(event.categories)
            if expected[member: "reason"]?.string == "invalid.unmapped" {
                #expect(outcome.route.categories == [], "\(event.id)")
                guard case .unmapped = outcome else { Issue.record("\(event.id) is routed"); continue }
                checks += 1
            }
            if let tags = expected[member: "categoryTags"]?.array {
                #expect(outcome.route.categories == tags.compactMap(\.string).sorted(), "\(event.id)")
                checks += 1
            }
            let warnings = (expected[member: "warn"]?.array ?? []).compactMap(\.string)
            if warnings.contains(where: { $0.hasPrefix("category.") }) {
                #expect(Set(outcome.route.warnings.map(\.label)) == Set(warnings), "\(event.id)")
                checks += 1
            }
        }
        #expect(checks > 25)
    }

    @Test(arguments: [
        ("WORLD", "world"), ("world sports world", "sports world"), ("medtop:20000756", "technology"),
        // A deeper code wins over a higher one: technology is below science and technology.
        ("medtop:20001298", "technology"), ("medtop:13000000", "science"), ("medtop:20000639", "world"),
        // Retired codes are mapped by their last parents.
        ("medtop:20000064", "world"), ("subj:16009000", "world"), ("subj:15054001", "sports"),
        ("subj:15999999", "sports"),
        ("geo:cz-10 EDITION:cz", "edition:cz geo:CZ-10"), ("astrology technology", "technology"),
    ])
    func `codes become categories`(_ codes: String, _ categories: String) throws {
        let outcome = try CategoryMap(rules: Self.agency).route(codes.split(separator: " ").map(String.init))
        #expect(outcome.route.categories == categories.split(separator: " ").map(String.init))
        guard case .routed = outcome else { Issue.record("not routed"); return }
    }

    @Test func `a route contains which code made which category`() throws {
        let route = try CategoryMap(rules: Self.agency)
            .route(["medtop:20001298", "astrology", "medtop:20000064", "subj:15054000"]).route
        #expect(
            route.matches == [
                CategoryMatch(code: "medtop:20001298", category: "technology", via: "medtop:20000756"),
                CategoryMatch(code: "medtop:20000064", category: "world", via: "medtop:16000000"),
                CategoryMatch(code: "subj:15054000", category: "sports", via: "medtop:15000000"),
            ]
        )
        #expect(route.unknown == ["astrology"] && route.retired == ["medtop:20000064", "subj:15054000"])
        #expect(route.warnings.map(\.label) == ["category.unknown", "category.retired", "category.retired"])
    }

    @Test(arguments: [
        (UnknownPolicy.drop, "x world", "world", true), (.drop, "x y", "", false), (.drop, "", "", false),
        (.deadLetter, "x world", "world", false), (.deadLetter, "world", "world", true), (.deadLetter, "x", "", false),
        (.category("sports"), "x world", "sports world", true), (.category("sports"), "x", "sports", true),
        (.category("sports"), "", "", false),
    ])
    func `unknown codes follow the policy`(
        _ policy: UnknownPolicy,
        _ codes: String,
        _ categories: String,
        _ isRouted: Bool
    ) throws {
        let outcome = try CategoryMap(rules: Self.agency, unknown: policy)
            .route(codes.split(separator: " ").map(String.init))
        #expect(outcome.route.categories == categories.split(separator: " ").map(String.init))
        #expect((outcome == .routed(outcome.route)) == isRouted)
    }

    @Test(arguments: [
        ("edition:uk", "uk"), ("edition:us Sports", "us-sport"), ("edition:uk medtop:20001065", "uk-sport"),
        ("edition:uk sports", "uk"), ("edition:uk edition:us sports medtop:15000000", "uk-sport us-sport"),
        ("sports edition:au", "au"),
    ])
    func `a rule needs all its codes, and the narrower category replaces the wider one`(
        _ codes: String,
        _ categories: String
    ) throws {
        let map = try CategoryMap(
            rules: [
                CategoryRule(name: "uk", codes: ["edition:uk"]), CategoryRule(name: "us", codes: ["edition:us"]),
                CategoryRule(name: "au", codes: ["edition:au"]),
                CategoryRule(name: "uk-sport", condition: .all(["edition:uk", "medtop:15000000"])),
                CategoryRule(name: "us-sport", condition: .all(["edition:us", "sports"])),
            ],
            unknown: .deadLetter,
            narrower: [("uk-sport", ["uk"]), ("us-sport", ["us"])]
        )
        let outcome = map.route(codes.split(separator: " ").map(String.init))
        #expect(outcome == .routed(outcome.route))
        #expect(outcome.route.categories == categories.split(separator: " ").map(String.init))
    }

    @Test(arguments: [
        ("geo:CZ-10", "geo:CZ-10"), ("GEO:cz-10", "geo:CZ-10"), ("geo:CZ", ""), ("geo:CZ-", ""), ("geo:-10", ""),
        ("geo:", ""), ("geo:US-NY-1", "geo:US-NY-1"),
    ])
    func `a family of two parts does not match a code of one`(_ code: String, _ expected: String) throws {
        let map = try CategoryMap(
            rules: [CategoryRule(name: "region", condition: .each(family: "geo:*-*", tag: "geo:{code}"))]
        )
        #expect(map.route([code]).route.categories.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("geo:CZ-10", "geo.CZ geo.CZ-10"), ("geo:cz", "geo.CZ"), ("Geo:cz-10", "geo.CZ geo.CZ-10"), ("geo:", ""),
        ("team:Ajax", "team-Ajax"), ("geo:a/b", ""), ("geographic", ""),
    ])
    func `each code of a family makes a category`(_ code: String, _ categories: String) throws {
        let map = try CategoryMap(rules: [
            CategoryRule(name: "region", condition: .each(family: "geo:*", tag: "geo.{code}")),
            CategoryRule(name: "teams", condition: .each(family: "team:*", tag: "team-{code}")),
        ])
        let route = map.route([code]).route
        #expect(route.categories == categories.split(separator: " ").map(String.init))
        #expect(route.unknown == (categories.isEmpty ? [code] : []))
    }

    @Test func `all errors in the rules are reported at once`() throws {
        let error = try #require(throws: RuleProblems.self) {
            try CategoryMap(
                rules: [
                    CategoryRule(name: "bad/tag", codes: ["ok"]), CategoryRule(name: "a", codes: ["fine", "not fine"]),
                    CategoryRule(name: "a", codes: []), CategoryRule(name: "none", condition: .all([])),
                    CategoryRule(name: "r", condition: .each(family: "geo", tag: "geo.{code}")),
                    CategoryRule(name: "s", condition: .each(family: "geo:*", tag: "geo")),
                    CategoryRule(name: "t", condition: .each(family: "geo:*", tag: "geo/{code}")),
                ],
                unknown: .category("b"),
                narrower: [("a", ["c"]), ("none", ["none"])]
            )
        }
        #expect(
            error.problems.map(\.path) == [
                "categories.bad/tag", "categories.a[1]", "categories.a", "categories.none.all", "categories.r.each",
                "categories.s.tag", "categories.t.tag", "unknown", "narrower.a", "narrower.none",
            ]
        )
    }

    @Test func `codes that IPTC does not have or has retired have a warning`() throws {
        let map = try CategoryMap(rules: [
            CategoryRule(name: "a", codes: ["medtop:20000064", "medtop:29999999", "medtop:01000000"]),
            CategoryRule(name: "b", codes: []),
        ])
        #expect(map.warnings.map(\.path) == ["categories.a[0]", "categories.a[1]", "categories.b"])
    }
}
