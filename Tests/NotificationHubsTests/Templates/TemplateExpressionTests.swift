import NewsflashStrictJSON
import NotificationHubs
import Testing

@Suite("Expressions of templates", .timeLimit(.minutes(1)))
struct TemplateExpressionTests {
    private static let values = TemplateValues([
        NamedValue("Title", "This is the title line"),
        NamedValue("short", "abc"),
        NamedValue("empty", ""),
        NamedValue("url", "a b/ü&?~"),
        NamedValue("news_2", "x"),
    ])

    @Test(arguments: [
        "", "  ", "plain", "Hi $(title)", " $(title)", "'$(title)'", "\"text\"", "+", "a.b", "50% off", "(title)",
        "\u{301}$(title)", "\u{A0}", "}",
    ])
    func `a field that does not begin like an expression is copied`(text: String) throws {
        let expression = try TemplateExpression(parsing: text)
        #expect(expression.isLiteral)
        #expect(expression.properties.isEmpty)
        #expect(expression.text(Self.values) == text)
    }

    @Test(arguments: [
        // The value, whatever the case of its name; empty if it is missing.
        ("$(title)", "This is the title line"), ("$(TITLE)", "This is the title line"), ("$( short )", "abc"),
        ("$(\tshort\n)", "abc"), ("$(missing)", ""), ("$(empty)", ""), ("$(news_2)", "x"),
        // Clipped.
        ("$(title, 4)", "This"), ("$(title,4)", "This"), ("$(title , 4 )", "This"), ("$(title, +4)", "This"),
        ("$(title, 0)", ""), ("$(title, 22)", "This is the title line"),
        ("$(title, 2147483647)", "This is the title line"),
        ("$(short, 3)", "abc"), ("$(short, 2)", "ab"), ("$(missing, 3)", ""),
        // Clipped with dots.
        (".(title, 20)", "This is the title..."), (".(title, 21)", "This is the title ..."),
        (".(title, 22)", "This is the title line"), (".(short, 3)", "abc"), (".(short, 2)", ".."), (".(short, 1)", "."),
        (".(short, 0)", ""), (".(title, 3)", "..."), (".(title, 4)", "T..."), (".(missing, 0)", ""),
        // Percent-encoding.
        ("%(url)", "a%20b%2F%C3%BC%26%3F~"), ("%(missing)", ""), ("%( url )", "a%20b%2F%C3%BC%26%3F~"),
        // Joined.
        ("{$(short)}", "abc"), ("{ $(short) }", "abc"), ("{'Hi ' + $(short)}", "Hi abc"),
        ("{\"Hi \"+$(short)+'!'}", "Hi abc!"), ("{'#000000'}", "#000000"), ("{ 'a' + 'b'\t+\n'c' }", "abc"),
        ("{'it''s'}", "it's"), ("{\"say \"\"x\"\"\"}", "say \"x\""), ("{''''}", "'"), ("{'' + $(short)}", "abc"),
        ("{'}' + $(short)}", "}abc"), ("{'a + b'}", "a + b"),
        ("{.(title, 7) + %(url)}", "This...a%20b%2F%C3%BC%26%3F~"),
        ("{'\"' + \"'\"}", "\"'"), ("{$(short, 1) + $(short, 2)}", "aab"), ("$(short) + 'x'", "abcx"),
        ("$(short)+$(short)", "abcabc"),
        // The default of a missing value.
        ("$(missing:{none})", "none"), ("$(short:{none})", "abc"), ("$(empty:{none})", ""), ("$(missing:{})", ""),
        ("$(missing:{a, b) c})", "a, b) c"), (#"$(missing:{a\}b\\c\d})"#, #"a}b\cd"#), ("$(missing:{long},2)", "lo"),
        (".(missing:{longer}, 5)", "lo..."), ("%(missing:{a b})", "a%20b"), ("$(missing :{x})", "x"),
    ])
    func `the text of an expression is returned`(text: String, expected: String) throws {
        let expression = try TemplateExpression(parsing: text)
        #expect(!expression.isLiteral)
        #expect(expression.text(Self.values) == expected)
    }

    @Test(arguments: [
        ("0", true), ("7", true), ("40", true), ("123456789012345678901234567890", true), ("1.5", true), ("0.50", true),
        ("1e5", true), ("1E+5", true), ("1.25e-7", true), ("0e0", true),
        ("", false), ("-1", false), ("+1", false), ("01", false), ("00", false), (".5", false), ("1.", false),
        ("1e", false), ("1e+", false), ("e5", false), (" 1", false), ("1 ", false), ("1,5", false), ("0x1F", false),
        ("1.2.3", false), ("NaN", false), ("١", false), ("forty", false), ("1e5.5", false),
    ])
    func `a value of # is written as a number of JSON only if it looks like one`(value: String, isNumber: Bool) throws {
        let values = TemplateValues([NamedValue("count", value)])
        let expression = try TemplateExpression(parsing: "#(count)")
        let expected: JSONValue? = isNumber ? JSONNumber(value).map { .number($0) } : .string(value)
        #expect(try json("#(count)", values) == expected)
        #expect(expression.text(values) == value)
    }

    @Test func `a missing value of # is written as an empty text or as its default`() throws {
        #expect(try json("#(x)", TemplateValues([])) == .string(""))
        #expect(try json("#(x:{0})", TemplateValues([])) == JSONNumber("0").map { .number($0) })
        #expect(try json("$(x)", TemplateValues([NamedValue("x", "4")])) == .string("4"))
    }

    /// The value of a member that a template renders from an expression.
    private func json(_ expression: String, _ values: TemplateValues) throws -> JSONValue? {
        let description = TemplateDescription(body: "{\"data\":{\"x\":\"\(expression)\"}}")
        let template = try NotificationTemplate(description, platform: .gcm)
        return try JSONReader.read(template.render(values).body)[member: "data"]?[member: "x"]
    }

    @Test(arguments: [
        // Each is clipped to all lengths up to its own: "é" of two scalars, one beyond UTF-16's first plane, both.
        "abc", "e\u{301}te\u{301}", "a😀b", "😀😀", "🇩🇪", "中文字",
    ])
    func `a text is clipped by UTF-16 units and never splits a surrogate pair`(value: String) throws {
        let values = TemplateValues([NamedValue("x", value)])
        let units = Array(value.utf16)
        for length in 0...units.count + 1 {
            let clipped = try TemplateExpression(parsing: "$(x, \(length))").text(values)
            var expected = Array(units.prefix(length))
            if let last = expected.last, UTF16.isLeadSurrogate(last) { expected.removeLast() }
            #expect(Array(clipped.utf16) == expected, "\(length)")
            let dotted = try TemplateExpression(parsing: ".(x, \(length))").text(values)
            #expect(dotted.utf16.count <= length, "\(length)")
            #expect(
                length >= units.count
                    ? dotted == value : dotted.utf8.allSatisfy { $0 == 0x2E } || dotted.hasSuffix("...")
            )
        }
    }

    @Test func `the properties of an expression are listed as written, each once`() throws {
        let expression = try TemplateExpression(parsing: "{$(Title) + .(other, 3) + %(TITLE) + 'x' + $(Title:{y})}")
        #expect(expression.properties == ["Title", "other"])
    }

    @Test func `the maximum length of a name is exactly the hub's`() throws {
        let longest = String(repeating: "n", count: 120)
        #expect(try TemplateExpression(parsing: "$(\(longest))").properties == [longest])
        let error = #expect(throws: TemplateError.self) { try TemplateExpression(parsing: "$(\(longest)n)") }
        #expect(error?.code == .propertyTooLong)
    }
}

@Suite("Values of templates", .timeLimit(.minutes(1)))
struct TemplateValuesTests {
    @Test func `names are found in any case, and the message's before the device's`() {
        let values = TemplateValues(
            [NamedValue("Title", "message"), NamedValue("TITLE", "again")],
            pushVariables: [NamedValue("tItLe", "device"), NamedValue("Name", "Jane")]
        )
        #expect(values["title"] == "message")
        #expect(values["NAME"] == "Jane")
        #expect(values["other"] == nil)
    }

    @Test func `many devices share the properties of a message`() {
        let message = TemplateValues([NamedValue("a", "1")], pushVariables: [NamedValue("b", "2")])
        let other = message.with(pushVariables: [NamedValue("C", "3")])
        #expect(other["a"] == "1")
        #expect(other["b"] == nil)
        #expect(other["c"] == "3")
    }

    @Test func `a letter beyond ASCII never counts as an ASCII letter`() {
        let kelvin = TemplateValues([NamedValue("\u{212A}", "kelvin")])
        #expect(kelvin["k"] == nil)
        #expect(kelvin["\u{212A}"] == "kelvin")
    }
}
