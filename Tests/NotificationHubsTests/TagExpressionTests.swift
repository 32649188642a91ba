import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TagExpressionTests {
    @Test(
        arguments: [
            ("a", "a"),
            ("  a\t||\nb ", "a || b"),
            ("a||b||c", "a || b || c"),
            ("(a||b)||c", "a || b || c"),
            ("((a))", "a"),
            ("a&&b||c", "(a && b) || c"),
            ("a||b&&c", "a || (b && c)"),
            ("a||b&&!c", "a || (b && !c)"),
            ("!a&&b", "!a && b"),
            ("!(a||b)", "!(a || b)"),
            ("!!a", "a"),
            ("! ! !a", "!a"),
            ("!(!a)", "a"),
            ("(a && b) && (c && d)", "a && b && c && d"),
            (
                "(follows_RedSox || follows_Cardinals) && location_Boston",
                "(follows_RedSox || follows_Cardinals) && location_Boston"
            ),
            ("$InstallationId:{1} || $UserId:{a=b}", "$InstallationId:{1} || $UserId:{a=b}"),
        ])
    func `an expression is parsed and written in its canonical form`(text: String, canonical: String) throws {
        let expression = try TagExpression(parsing: text)
        #expect(expression.description == canonical)
        #expect(try TagExpression(parsing: canonical) == expression)
    }

    @Test(
        arguments: refusals
    )
    func `other texts are refused with a position`(text: String, code: HubValueError.Code, offset: Int?) throws {
        let error = try #require(throws: HubValueError.self) { try TagExpression(parsing: text) }
        #expect(error.code == code)
        if let offset { #expect(error.offset == offset) }
    }

    @Test func `the maximum number of tags is exactly the hub's`() throws {
        #expect(try TagExpression(parsing: ors(20)).tags.count == 20)
        #expect(try TagExpression(parsing: "(" + ors(10) + ") || (" + ors(10) + ")").tags.count == 10)
        #expect(try TagExpression(parsing: "a && b && c && d && e && !f").tags.count == 6)
        #expect(throws: HubValueError.self) { try TagExpression(parsing: "a && a && a && a && a && a && a") }
    }

    @Test(
        arguments: [
            ("a", "a b", true), ("a", "b", false), ("!a", "", true), ("!a", "a", false),
            ("a || b", "b", true), ("a && b", "a", false), ("a && b", "b a", true),
            ("a || b && c", "a", true), ("(a || b) && c", "a", false), ("a && b || c", "c", true),
            ("!a && b", "b", true), ("!(a && b)", "a", true), ("!a || b", "a b", true), ("A", "a", false),
        ])
    func `an expression decides which tags match`(text: String, tags: String, isMeant: Bool) throws {
        let set = Set(try tags.split(separator: " ").map { try Tag($0) })
        #expect(try TagExpression(parsing: text).matches(set) == isMeant)
    }

    @Test func `tags are joined by || and repeated ones are dropped`() throws {
        let tags = try ["world", "sports", "world"].map { try Tag($0) }
        let expression = try TagExpression.any(of: tags)
        #expect(expression.description == "world || sports")
        #expect(expression.tags == Array(tags.prefix(2)))
        #expect(try TagExpression.any(of: [tags[0]]) == TagExpression(tags[0]))
    }

    @Test func `a join has one to twenty tags`() throws {
        #expect(try #require(throws: HubValueError.self) { try TagExpression.any(of: []) }.code == .expressionEmpty)
        let many = try (0...20).map { try Tag("t\($0)") }
        #expect(try TagExpression.any(of: many.dropLast()).tags.count == 20)
        #expect(
            try #require(throws: HubValueError.self) { try TagExpression.any(of: many) }.code == .expressionTooManyTags
        )
        let repeated = try (0..<100).map { try Tag("t\($0 % 20)") }
        #expect(try TagExpression.any(of: repeated).tags == Array(repeated.prefix(20)))
        let tooMany = try (0..<100).map { try Tag("t\($0 % 30)") }
        let error = try #require(throws: HubValueError.self) { try TagExpression.any(of: tooMany) }
        #expect(error.message.contains("tag 30 exceeds the limit of 20"))
    }

    @Test func `a written expression is parsed back, and other texts are refused with a position`() throws {
        let seed: UInt64 = 20_260_302
        var generator = SeededGenerator(seed: seed)
        let pieces = ["a", "b", "c", "!", "&&", "||", "(", ")", " ", "&", "é", "$InstallationId:{x}"]
        let sets = try ["", "a", "b", "c", "a b", "a c", "b c", "a b c"].map { text in
            Set(try text.split(separator: " ").map { try Tag($0) })
        }
        var read = 0
        for round in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            do {
                let expression = try TagExpression(parsing: text)
                let again = try TagExpression(parsing: expression.description)
                #expect(again.description == expression.description, "seed \(seed), round \(round)")
                #expect(
                    sets.map { again.matches($0) } == sets.map { expression.matches($0) },
                    "seed \(seed), round \(round)"
                )
                read += 1
            } catch {
                #expect((0...text.utf8.count).contains(error.offset ?? -1), "seed \(seed), round \(round)")
            }
        }
        #expect(read > 500)
    }

    @Test func `an error describes what is wrong and where`() throws {
        let error = try #require(throws: HubValueError.self) { try TagExpression(parsing: "a & b") }
        #expect(error.description == "write &&, not & (at byte 2) [expression_syntax]")
    }
}

/// Text, code, position.
private let refusals: [(String, HubValueError.Code, Int?)] = [
    ("", .expressionEmpty, 0),
    ("   ", .expressionEmpty, 3),
    ("a b", .expressionSyntax, 2),
    ("a ||", .expressionSyntax, 4),
    ("|| a", .expressionSyntax, 0),
    ("a & b", .expressionSyntax, 2),
    ("a |", .expressionSyntax, 2),
    ("a && || b", .expressionSyntax, 5),
    ("(a", .expressionSyntax, 0),
    ("(a b)", .expressionSyntax, 3),
    ("a)", .expressionSyntax, 1),
    ("()", .expressionSyntax, 1),
    ("!", .expressionSyntax, 1),
    ("a!", .expressionSyntax, 1),
    ("a,b", .expressionInvalidTag, 1),
    ("x || größe", .expressionInvalidTag, 7),
    ("a || " + String(repeating: "b", count: 121), .expressionInvalidTag, 125),
    (String(repeating: "(", count: 1000) + "a", .expressionTooDeep, 32),
    (String(repeating: " ", count: 9000), .expressionTooLong, 8192),
    (ors(21), .expressionTooManyTags, nil),
    ("a && b && c && d && e && f && g", .expressionTooManyTags, nil),
    (ors(7) + " && !a", .expressionTooManyTags, nil),
]

private func ors(_ count: Int) -> String {
    (0..<count).map { "t\($0)" }.joined(separator: " || ")
}
