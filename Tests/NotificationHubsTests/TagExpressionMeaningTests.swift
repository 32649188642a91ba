import NotificationHubs
import Testing

@Suite("Meaning of tag expressions", .timeLimit(.minutes(1)))
struct TagExpressionMeaningTests {
    /// For each of the eight sets of `a`, `b` and `c`, in the order of ``sets``, whether it matches.
    @Test(
        arguments: [
            ("a", "-x--xx-x"), ("!a", "x-xx--x-"), ("a && b", "----x--x"), ("a || b", "-xx-xxxx"),
            // `!` before `&&` before `||`.
            ("a || b && c", "-x--xxxx"), ("a && b || c", "---xxxxx"), ("!a && b", "--x---x-"), ("!a || b", "x-xxx-xx"),
            ("a && !b || c", "-x-x-xxx"), ("a || !b && c", "-x-xxx-x"), ("!a && !b", "x--x----"),
            ("!a || !b && c", "x-xx-xx-"), ("a && b && c", "-------x"), ("a || b || c", "-xxxxxxx"),
            ("a && b || b && c", "----x-xx"), ("a || b && c || !c", "xxx-xxxx"),
            // Parentheses before everything.
            ("(a || b) && c", "-----xxx"), ("a && (b || c)", "----xx-x"), ("!(a && b)", "xxxx-xx-"),
            ("!(a || b)", "x--x----"), ("!(a || b) && c", "---x----"), ("!!a", "-x--xx-x"), ("!(!a || b)", "-x---x--"),
            ("!(a || b && c)", "x-xx----"), ("((a) && ((b || c)))", "----xx-x"),
        ])
    func `an expression matches registrations by the precedence of its operators`(text: String, meant: String) throws {
        let expression = try TagExpression(parsing: text)
        let found = try Self.sets.map { set in
            expression.matches(Set(try set.map { try Tag(String($0)) })) ? "x" : "-"
        }
        #expect(found.joined() == meant)
        #expect(try TagExpression(parsing: expression.description) == expression)
    }

    /// None; one; two; all.
    private static let sets = ["", "a", "b", "c", "ab", "ac", "bc", "abc"]

    @Test(
        arguments: [
            "(a||b)&&!c", "( a || b ) && ! c", "\t(a\t||\tb)\t&&\t!c\t", "\n(a\r\n||\nb)\n&&\n!\nc\n",
            "  (a||  b)&&!  c  ",
        ])
    func `any white space between tags and operators is accepted, and none`(text: String) throws {
        #expect(try TagExpression(parsing: text).description == "(a || b) && !c")
    }

    @Test(
        arguments: [
            ("a & & b", HubValueError.Code.expressionSyntax, 2), ("a | | b", .expressionSyntax, 2),
            ("a\u{A0}|| b", .expressionInvalidTag, 1),
            ("a\u{B}|| b", .expressionInvalidTag, 1), ("a\u{0}", .expressionInvalidTag, 1),
            ("a\u{2003}b", .expressionInvalidTag, 1),
            ("a &&& b", .expressionSyntax, 4), ("a ||| b", .expressionSyntax, 4), ("a and b", .expressionSyntax, 2),
            ("a b || c", .expressionSyntax, 2),
            ("a == b", .expressionSyntax, 2), ("'a'", .expressionInvalidTag, 0), ("a ^ b", .expressionSyntax, 2),
            ("a && (b", .expressionSyntax, 5),
            ("a && b)", .expressionSyntax, 6), ("(a))", .expressionSyntax, 3), ("(a)(b)", .expressionSyntax, 3),
            ("!(a", .expressionSyntax, 1),
            ("(!)", .expressionSyntax, 2),
            ("a (b)", .expressionSyntax, 2), ("(a) b", .expressionSyntax, 4), ("&&", .expressionSyntax, 0),
            (")", .expressionSyntax, 0), ("(", .expressionSyntax, 1),
            ("a,b", .expressionInvalidTag, 1), ("a;b", .expressionInvalidTag, 1), ("{a}", .expressionInvalidTag, 0),
            ("$a", .expressionInvalidTag, 0),
        ])
    func `the error has the position of the mistake`(text: String, code: HubValueError.Code, offset: Int) throws {
        let error = try #require(throws: HubValueError.self) { try TagExpression(parsing: text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.description.hasSuffix("(at byte \(offset)) [\(error.code.rawValue)]"))
    }

    @Test(
        arguments: [
            (
                "$InstallationId:{0e7c5973-714c-4ba9-a233-7c4497d5f43b}",
                "$InstallationId:{0e7c5973-714c-4ba9-a233-7c4497d5f43b}"
            ),
            ("$UserId:{jane@example.org}&&!muted", "$UserId:{jane@example.org} && !muted"),
            ("!$UserId:{a=b}", "!$UserId:{a=b}"),
            ("($InstallationId:{1}||$installationid:{2})&&x", "($InstallationId:{1} || $installationid:{2}) && x"),
        ])
    func `the tags that the hub assigns are accepted with their braces`(text: String, canonical: String) throws {
        #expect(try TagExpression(parsing: text).description == canonical)
    }

    @Test(
        arguments: [
            ("$InstallationId:1", 0), ("a || $InstallationId:{}", 5), ("a || $UserId:{x", 5), ("$UserId:{x}y", 0),
            ("$UserId:{a}{b}", 10), ("$UserId:{é}", 9), ("$SessionId:{x}", 0), ("x && $UserId", 5),
        ])
    func `the tags that the hub assigns are refused without their braces`(text: String, offset: Int) throws {
        let error = try #require(throws: HubValueError.self) { try TagExpression(parsing: text) }
        #expect(error.code == .expressionInvalidTag)
        #expect(error.offset == offset)
    }
}
