import NewsflashStrictJSON
import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite("Templates of JSON", .timeLimit(.minutes(1)))
struct NotificationTemplateTests {
    static let jsonPlatforms: [PushPlatform] = [.apns, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi]

    private static let values = TemplateValues([
        NamedValue("title", "\"Dam\" gives\nway \\ </b>"), NamedValue("count", "40"), NamedValue("empty", ""),
    ])

    private func render(_ body: String, _ platform: PushPlatform = .apns) throws -> String {
        let template = try NotificationTemplate(TemplateDescription(body: body), platform: platform)
        return String(decoding: template.render(Self.values).body, as: UTF8.self)
    }

    @Test(arguments: [0, 1, 41, 42, 100])
    func `a rendering stops at its limit and reports that`(maximum: Int) throws {
        let body = #"{"a":["$(count)","{$(count) + $(count)}","x"],"é":"y"}"#
        let whole = try render(body)
        #expect(whole.utf8.count == 32)
        let headers = [NamedValue("apns-collapse-id", "$(count)"), NamedValue("apns-topic", "{$(count) + $(count)}")]
        let template = try NotificationTemplate(TemplateDescription(body: body, headers: headers), platform: .apns)
        let rendered = template.render(Self.values, maximumBytes: maximum)
        #expect(rendered.body == Array(whole.utf8.prefix(maximum)))
        #expect(rendered.isWhole == (maximum >= 32))
        #expect(rendered.headers.map(\.value) == (maximum < 2 ? [] : ["40", "4040"]))
    }

    @Test func `headers that are too long together are left out`() throws {
        let headers = (1...9).map { NamedValue("apns-\($0)", "$(long)") }
        let template = try NotificationTemplate(TemplateDescription(body: "{}", headers: headers), platform: .apns)
        let values = TemplateValues([NamedValue("long", String(repeating: "x", count: 100))])
        let rendered = template.render(values, maximumBytes: 250)
        #expect(rendered.headers.count == 2)
        #expect(!rendered.isWhole)
        #expect(template.render(values, maximumBytes: 900).isWhole)
    }

    @Test func `at most a hundred oddities are reported, each in a few words`() throws {
        let name = String(repeating: "n", count: 30_000)
        let fields = Array(repeating: #""x$(""#, count: 5000).joined(separator: ",")
        let template = try NotificationTemplate(TemplateDescription(body: "{\"\(name)\":[\(fields)]}"), platform: .apns)
        #expect(template.warnings.count == 100)
        #expect(template.warnings.allSatisfy { $0.utf8.count < 1200 })
    }

    @Test(arguments: jsonPlatforms)
    func `values replace the expressions of the body, and everything else is unchanged`(platform: PushPlatform) throws {
        let body = """
            { "message": {"a": [ "$(title)", "x$(title)", 1.50, true, null, {} , [] ],
              "n": "#(count)", "s": "$(count)", "t": "#(title)", "é\\n": "\\u0024(count)" } }
            """
        let escaped = #""\"Dam\" gives\nway \\ </b>""#
        #expect(
            try render(body, platform)
                == #"{"message":{"a":["# + escaped + #","x$(title)",1.50,true,null,{},[]],"n":40,"s":"40","t":"#
                + escaped
                + #","é\n":"40"}}"#
        )
    }

    @Test(arguments: [
        (#"{"a":"{\"Hi \" + $(count)}"}"#, #"{"a":"Hi 40"}"#), (#"{"a":"{'Hi ' + $(count)}"}"#, #"{"a":"Hi 40"}"#),
        (##"{"a":"#(missing)"}"##, #"{"a":""}"#), (#"{"a":"$(missing)"}"#, #"{"a":""}"#), ("{}", "{}"),
        ("\u{FEFF}{}", nil), (#"{"a":""}"#, #"{"a":""}"#), (##"{"a":"#(missing:{5})"}"##, #"{"a":5}"#),
    ])
    func `expressions are parsed after the escapes of JSON`(body: String, expected: String?) throws {
        #expect((try? render(body)) == expected)
    }

    @Test(arguments: [
        ("", TemplateError.Code.invalidBody, "/body"), ("{\"a\":1,}", .invalidBody, "/body"),
        ("[\"$(a)\"]", .invalidBody, "/body"), ("\"$(a)\"", .invalidBody, "/body"),
        ("{\"a\":1}{", .invalidBody, "/body"),
        ("{\"a\":1,\"a\":2}", .invalidBody, "/body"), ("<toast/>", .invalidBody, "/body"),
        ("{\"$(a)\":1}", .expressionInName, "/body/$(a)"), ("{\"a\":{\"#b/c\":1}}", .expressionInName, "/body/a/#b~1c"),
        ("{\"{x\":1}", .expressionInName, "/body/{x"), ("{\".x\":1}", .expressionInName, "/body/.x"),
        ("{\"%x\":1}", .expressionInName, "/body/%x"),
        ("{\"aps\":{\"alert\":[1,\"$(a) b\"]}}", .invalidOperator, "/body/aps/alert/1"),
        ("{\"a/b\":{\"~\":\"#000000\"}}", .missingOpening, "/body/a~1b/~0"),
        ("{\"a\":\"$body\"}", .bodyExpression, "/body/a"),
    ])
    func `a refused body is reported with the field`(body: String, code: TemplateError.Code, path: String) throws {
        for platform in Self.jsonPlatforms {
            let error = try #require(throws: TemplateError.self) {
                try NotificationTemplate(TemplateDescription(body: body), platform: platform)
            }
            #expect(error.code == code)
            #expect(error.path == path)
            #expect(code != .invalidBody || error.message.hasPrefix("Failed to deserialize the body template."))
        }
    }

    @Test func `the properties of all fields are listed in lower case`() throws {
        let description = TemplateDescription(
            body: #"{"a":"$(Title)","b":["{$(TITLE) + .(Sub, 3)}"]}"#,
            headers: [NamedValue("apns-collapse-id", "$(Story)")],
            expiry: "$(Expiry)",
            priority: "$(Priority)"
        )
        let template = try NotificationTemplate(description, platform: .apns)
        #expect(template.properties == ["title", "sub", "story", "expiry", "priority"])
        #expect(template.reads(any: [NamedValue("x", ""), NamedValue("STORY", "")]))
        #expect(!template.reads(any: [NamedValue("x", "")]))
    }

    @Test func `one template is rendered for devices with variables of their own`() throws {
        let template = try NotificationTemplate(
            TemplateDescription(body: #"{"alert":"{$(name) + ': ' + $(title)}"}"#),
            platform: .gcm
        )
        let message = TemplateValues([NamedValue("title", "x")])
        let bodies = ["Jane", "Ann"].map { name in
            String(
                decoding: template.render(message.with(pushVariables: [NamedValue("Name", name)])).body,
                as: UTF8.self
            )
        }
        #expect(bodies == [#"{"alert":"Jane: x"}"#, #"{"alert":"Ann: x"}"#])
    }

    @Test(arguments: [
        (#"{"a":"Hi $(name)"}"#, PushPlatform.apns, ["/body/a: "]), (#"{"a":"$(name) + 'x'"}"#, .apns, ["/body/a: "]),
        (#"{"a":"{'Hi ' + $(name)}"}"#, .apns, []), (#"{"aps":{}}"#, .fcmv1, ["/body: "]),
        (#"{"message":"$(a)"}"#, .fcmv1, ["/body: "]),
        (#"{"message":{"token":"x","topic":"y"}}"#, .fcmv1, ["/body: ", "/body: "]),
        (#"{"message":{"notification":{"title":"$(a)","channel_id":"x"}}}"#, .fcmv1, ["/body: "]),
        (##"{"message":{"data":{"a":1,"b":"#(x)","c":"$(x)"}}}"##, .fcmv1, ["/body: ", "/body: "]),
        (#"{"message":{"notification":{"title":"$(a)","body":"b","image":"c"},"data":{"a":"$(b)"}}}"#, .fcmv1, []),
        (#"{"aps":{}}"#, .gcm, []),
    ])
    func `a doubtful template has warnings`(
        body: String,
        platform: PushPlatform,
        beginnings: [String]
    ) throws {
        let template = try NotificationTemplate(TemplateDescription(body: body), platform: platform)
        #expect(template.warnings.count == beginnings.count)
        #expect(zip(template.warnings, beginnings).allSatisfy { $0.hasPrefix($1) })
    }

    @Test func `the maximum length of a name is exactly the hub's`() throws {
        let longest = String(repeating: "n", count: 200)
        _ = try NotificationTemplate(TemplateDescription(name: longest, body: "{}"), platform: .gcm)
        let error = try #require(throws: TemplateError.self) {
            try NotificationTemplate(TemplateDescription(name: longest + "n", body: "{}"), platform: .gcm)
        }
        #expect(error.code == .nameTooLong)
        #expect(error.message == "The template name exceeds the '200' character limit.")
        #expect(error.path == "/name")
    }

    @Test func `rendered JSON has the same structure whatever the values are`() throws {
        let seed: UInt64 = 7_041_776
        var generator = SeededGenerator(seed: seed)
        let template = try NotificationTemplate(
            TemplateDescription(body: ##"{"a":"$(v)","b":["#(v)","{'x' + .(v, 9)}"],"c":{"d":"%(v)"}}"##),
            platform: .apns
        )
        let pieces = ["\"", "\\", "}", "]", ",", "\u{0}", "\u{1F}", "\u{2028}", "😀", "é", "1", "null", "</", "&", "\n"]
        for round in 0..<2000 {
            let value = (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let body = try JSONReader.read(template.render(TemplateValues([NamedValue("v", value)])).body)
            #expect(body[member: "a"] == .string(value), "seed \(seed), round \(round)")
            #expect(body.object?.map(\.name) == ["a", "b", "c"], "seed \(seed), round \(round)")
            #expect(body[member: "b"]?.array?.count == 2, "seed \(seed), round \(round)")
        }
    }

    @Test func `any body makes a template or an error`() throws {
        let seed: UInt64 = 99_501
        var generator = SeededGenerator(seed: seed)
        let bodies = [
            ##"{"message":{"notification":{"title":"$(title)","body":".(title, 20)"},"data":{"n":"#(count)"}}}"##,
            ##"<toast launch="$(a)"><visual><binding template="x"><text id="1">{'a' + $(b)}</text></binding></visual></toast>"##,
        ]
        var made = 0
        for round in 0..<20_000 {
            let body = Array(bodies[round % 2].utf8).mutated(using: &generator)
            let description = TemplateDescription(body: String(decoding: body, as: UTF8.self))
            let platform: PushPlatform = round % 2 == 0 ? .fcmv1 : .wns
            do throws(TemplateError) {
                let template = try NotificationTemplate(description, platform: platform)
                #expect(!template.render(Self.values).body.isEmpty, "seed \(seed), round \(round)")
                made += 1
            } catch {
                #expect(error.path.hasPrefix("/"), "seed \(seed), round \(round)")
            }
        }
        #expect(made > 100)
    }
}
