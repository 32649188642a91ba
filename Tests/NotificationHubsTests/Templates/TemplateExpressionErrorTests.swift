import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("Errors in expressions of templates", .timeLimit(.minutes(1)))
struct TemplateExpressionErrorTests {
    @Test(arguments: [
        // Fewer than three characters are left for a token.
        ("$", TemplateError.Code.tokenTooShort, 0), ("$(", .tokenTooShort, 0), (".5", .tokenTooShort, 0),
        ("%", .tokenTooShort, 0), ("#1", .tokenTooShort, 0), ("{}", .tokenTooShort, 1), ("{   }", .tokenTooShort, 1),
        ("{''}", .tokenTooShort, 1), ("{$(a) + ''}", .tokenTooShort, 8), ("{$(a) +}", .tokenTooShort, 7),
        ("{$(a) + }", .tokenTooShort, 7), ("$(a)+", .tokenTooShort, 5), ("{😀}", .tokenTooShort, 1),
        // Parentheses and braces.
        ("#000000", .missingOpening, 0), ("%20", .missingOpening, 0), ("...", .missingOpening, 0),
        ("$name", .missingOpening, 0), ("$ (a)", .missingOpening, 0), ("{'a' + $a}", .tokenTooShort, 7),
        ("{'a' + $ab}", .missingOpening, 7),
        ("$(name", .missingClosing, 0), ("$(a b", .missingClosing, 0), ("$(a:{x}", .missingClosing, 0),
        ("$(a, 5", .missingClosing, 0), ("{'a' + $(b}", .missingClosing, 7),
        ("{not an expression", .missingClosing, 18), ("{", .missingClosing, 1), ("{$(a)} ", .missingClosing, 7),
        ("{$(a)}x", .missingClosing, 7), ("$(a:{x}y)", .missingClosing, 0), ("$(a:{x} , 5)", .missingClosing, 0),
        // Literals.
        ("{'abc}", .unclosedLiteral, 1), ("{'abc'' + $(b)}", .unclosedLiteral, 1), ("{\"abc'}", .unclosedLiteral, 1),
        ("{$(a) + 'é' + \"bc}", .unclosedLiteral, 15),
        // Operators.
        ("$(a) and $(b)", .invalidOperator, 5), ("$(a)$(b)", .invalidOperator, 4), ("$(a) ", .invalidOperator, 5),
        ("{$(a) $(b)}", .invalidOperator, 6), ("{'a' - 'b'}", .invalidOperator, 5), ("$(a).", .invalidOperator, 4),
        ("{'a'}}", .invalidOperator, 4),
        // The second part.
        ("%(a, 5)", .unexpectedLength, 0), ("#(a,5)", .unexpectedLength, 0), (".(a)", .missingLength, 0),
        (".(a:{x})", .missingLength, 0), ("$(a, )", .invalidLength, 4), ("$(a, x)", .invalidLength, 4),
        ("$(a, -1)", .invalidLength, 4), (".(a, 1.5)", .invalidLength, 4), ("$(a, 1, 2)", .invalidLength, 4),
        ("$(a, 2147483648)", .invalidLength, 4), ("$(a, 5:{x})", .invalidLength, 4),
        ("$(a, 99999999999999999999)", .invalidLength, 4),
        // Tokens.
        ("{abc}", .invalidToken, 1), ("{(a)}", .invalidToken, 1), ("{ +$(a)}", .invalidToken, 2),
        ("{$(a) + b c}", .invalidToken, 8), ("{{$(a)}}", .invalidToken, 1), ("{1 + 2}", .invalidToken, 1),
        // Names.
        ("$()", .invalidProperty, 2), ("$(  )", .invalidProperty, 2), ("$(a-b)", .invalidProperty, 2),
        ("$(a.b)", .invalidProperty, 2), ("$(größe)", .invalidProperty, 2), ("$(a b)", .invalidProperty, 2),
        ("$(:{x})", .invalidProperty, 2), ("$(a:x)", .invalidProperty, 2), ("$($(a))", .invalidProperty, 2),
        ("$(,5)", .invalidProperty, 2), ("{'a' + $(n:)}", .invalidProperty, 9), ("$($body)", .invalidProperty, 2),
        // Defaults.
        ("$(a:{x)", .unclosedDefault, 3), (#"$(a:{x\})"#, .unclosedDefault, 3), (#"$(a:{x\"#, .unclosedDefault, 3),
        // Numbers cannot be combined.
        ("{#(a)}", .numberInComposite, 0), ("{#(a) + 'x'}", .numberInComposite, 0),
        ("#(a) + $(b)", .numberInComposite, 0),
        ("{'x' + #(a)}", .numberInComposite, 0),
        // The whole message.
        ("$body", .bodyExpression, 0), ("$BODY", .bodyExpression, 0), ("{'a' + $body}", .bodyExpression, 7),
    ])
    func `a text that begins like an expression and is not one is refused`(
        text: String,
        code: TemplateError.Code,
        offset: Int
    ) throws {
        let error = try #require(throws: TemplateError.self) { try TemplateExpression(parsing: text) }
        #expect(error.code == code)
        #expect(error.offset == offset)
        #expect(error.path.isEmpty)
    }

    @Test(arguments: [
        ("%20", "The character following $ or . or % should be a ("), ("$(a", "Missing closing parentheses"),
        ("{'ab}", "Literal is missing closing notation"), ("$(a) b", "Only valid composition operator is +"),
        ("%(a,1)", "The expression %(prop , n) is not a valid"),
        (".(a)", "Error trying to parse for .(prop , n) format"), ("$(a,x)", "'x' is not a positive integer"),
        ("{abc}", "Token has to begin with one of these characters . % ' \" $"),
        ("$(a:{b)", "Missing default's end"),
        ("{#(a)}", "Token type '#(prop)' is not allowed in composite expression."),
        ("$body", "Expression type '$body' is not supported."),
    ])
    func `an error has the text of the SDK`(text: String, words: String) throws {
        let error = try #require(throws: TemplateError.self) { try TemplateExpression(parsing: text) }
        #expect(error.message.hasPrefix(words))
        #expect(error.message.contains(text))
        #expect(error.description.hasSuffix("[\(error.code.rawValue)]"))
    }

    @Test func `only the beginning of a long field is repeated`() throws {
        let text = "$(" + String(repeating: "é", count: 100_000)
        let error = try #require(throws: TemplateError.self) { try TemplateExpression(parsing: text) }
        #expect(error.message.utf8.count < 1000)
    }

    @Test func `any input makes a text or an error`() throws {
        let seed: UInt64 = 20_260_612
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "$", "(", ")", "a", "news", "{", "}", "+", " ", ",", "5", "'", "''", "\"", ".", "%", "#", ":{", "\\", "😀",
            "é", "$(a)", ".(a, 3)", "%(b)", "#(c)", "$(d:{x})", "'text'", " + ", "\u{0}", "\r\n", "-1",
        ]
        let values = TemplateValues([NamedValue("a", "😀x\u{301}😀"), NamedValue("b", "ü /"), NamedValue("c", "12")])
        var expressions = 0
        for round in 0..<60_000 {
            let count = Int.random(in: 1...10, using: &generator)
            var text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if round % 2 == 0 { text = "{" + text + "}" }
            do throws(TemplateError) {
                let expression = try TemplateExpression(parsing: text)
                let result = expression.text(values)
                if expression.isLiteral { #expect(result == text, "seed \(seed), round \(round)") }
                if !expression.isLiteral { expressions += 1 }
            } catch {
                #expect((0...text.utf8.count).contains(error.offset), "seed \(seed), round \(round)")
            }
        }
        #expect(expressions > 1000)
    }
}
