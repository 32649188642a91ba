import NotificationHubs
import Testing

@Suite("Limits of tag expressions", .timeLimit(.minutes(1)))
struct TagExpressionLimitTests {
    @Test(arguments: countedTags)
    func `an expression has at most 20 tags with || only, and otherwise 6`(text: String, offset: Int?) throws {
        do throws(HubValueError) {
            _ = try TagExpression(parsing: text)
            #expect(offset == nil)
        } catch {
            #expect(error.code == .expressionTooManyTags)
            #expect(error.offset == offset)
            #expect(error.message.contains("at most 20 tags joined with || only, or 6 with && or !"))
        }
    }

    @Test func `a tag has at most 120 characters`() throws {
        let longest = String(repeating: "t", count: 120)
        #expect(try TagExpression(parsing: "a || " + longest).tags.last?.description == longest)
        let error = try #require(throws: HubValueError.self) {
            try TagExpression(parsing: "a || \(longest)t && b")
        }
        #expect(error.code == .expressionInvalidTag)
        #expect(error.offset == 125)
        let user = "$UserId:{" + String(repeating: "u", count: 110) + "}"
        #expect(try TagExpression(parsing: "!" + user).tags.first?.description == user)
        #expect(throws: HubValueError.self) { try TagExpression(parsing: "!$UserId:{u" + user.dropFirst(9)) }
    }

    @Test func `parentheses are nested at most 32 deep`() throws {
        let open = String(repeating: "(", count: 32)
        let close = String(repeating: ")", count: 32)
        #expect(try TagExpression(parsing: open + "a" + close).description == "a")
        let error = try #require(throws: HubValueError.self) {
            try TagExpression(parsing: open + "(a)" + close)
        }
        #expect(error.code == .expressionTooDeep)
        #expect(error.offset == 32)
    }

    @Test func `an expression has at most 8192 bytes`() throws {
        let blanks = String(repeating: " ", count: 8191)
        #expect(try TagExpression(parsing: blanks + "a").description == "a")
        let error = try #require(throws: HubValueError.self) { try TagExpression(parsing: blanks + "ab") }
        #expect(error.code == .expressionTooLong)
        #expect(error.offset == 8192)
    }
}

/// A text, and the position of the first tag or operator beyond the limit; `nil` without one.
private let countedTags: [(String, Int?)] = [
    // Only `||`: 20.
    (ors(20), nil),
    (ors(21), 120),
    ("(\(ors(10)))||(\(ors(10)))", nil),
    ("(\(ors(20)))", nil),
    ("((\(ors(21))))", 122),
    // The same tag counts each time.
    (repeated(20), nil),
    (repeated(21), 60),
    // Anything else: 6, wherever the other operator is.
    (ands(6), nil),
    (ands(7), 36),
    ("!\(ors(6))", nil),
    ("!\(ors(7))", 37),
    ("\(ors(5))||!t99", nil),
    ("\(ors(6))||!t99", 36),
    ("\(ors(5))&&t99", nil),
    ("\(ors(6))&&t99", 35),
    ("\(ors(7))&&t99", 41),
    ("(\(ors(6)))&&t99", 37),
    ("\(ors(20))||!t99", 120),
    ("!(\(ors(6)))", nil),
    ("!(\(ors(7)))", 38),
    ("!!\(ors(7))", 38),
    ("a&&b||c&&d||e&&f", nil),
    ("a&&b||c&&d||e&&f||g", 18),
    ("a && a && a && a && a && a && a", 30),
]

/// Returns `t10|| t11|| …`: each tag with its operator takes six bytes, so that positions are easy to count.
private func ors(_ count: Int) -> String {
    (0..<count).map { "t\($0 + 10)" }.joined(separator: "|| ")
}

private func ands(_ count: Int) -> String {
    (0..<count).map { "t\($0 + 10)" }.joined(separator: "&& ")
}

private func repeated(_ count: Int) -> String {
    Array(repeating: "a", count: count).joined(separator: "||")
}
