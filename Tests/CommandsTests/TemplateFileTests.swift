import NewsflashCommandLineArguments
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Templates of devices in `newsflash explain` and `newsflash lint`.
@Suite("Templates in files", .timeLimit(.minutes(1)))
struct TemplateFileTests {
    private func file(_ body: String, _ platform: PushPlatform = .apns, name: String = "alert.json") -> TemplateFile {
        TemplateFile(name: name, bytes: Array(body.utf8), platform: platform)
    }

    private func explanation(_ templates: TemplateFile...) throws -> EventExplanation {
        try #require(try SampleNewsroom.explanations([SampleNewsroom.flash], templates: templates).first)
    }

    @Test func `the notification of a device is shown with its size, and without the request`() throws {
        let explanation = try explanation(file(##"{"aps":{"alert":"$(headline_fr)"},"n":"#(revision)"}"##))
        #expect(
            explanation.text().hasSuffix(
                """
                (news.yaml:8)

                to World, alert.json on apns: 49 of 4096 bytes

                {
                  "aps": {
                    "alert": "Breaking: Bridge closed"
                  },
                  "n": 1
                }
                """
            )
        )
        #expect(explanation.faults == 0)
        let whole = explanation.text(showsRequests: true)
        #expect(whole.contains("\n}\n\nto World, alert.json on apns: 49 of 4096 bytes\n"), "both are shown")
    }

    @Test func `each template shows its own notification, XML unchanged`() throws {
        let toast = file("<toast><visual><text>$(headline)</text></visual></toast>", .wns, name: "toast.xml")
        let text = try explanation(file(#"{"aps":{}}"#), toast).text()
        #expect(text.contains("to World, alert.json on apns: 10 of 4096 bytes\n\n{\n  \"aps\": {}\n}\n"))
        #expect(
            text.hasSuffix(
                """
                to World, toast.xml on wns: 68 of 5120 bytes
                X-WNS-Type: wns/toast

                <toast><visual><text>Breaking: Bridge closed</text></visual></toast>
                """
            )
        )
    }

    @Test func `notifications that would not arrive and properties that stay empty are shown`() throws {
        let long = String(repeating: "x", count: 4096)
        let tooLong = try explanation(file(#"{"aps":{"alert":"$(News_English)"},"x":"\#(long)"}"#))
        #expect(tooLong.faults == 1)
        #expect(tooLong.text().contains("of 4096 bytes\nwould not arrive: the payload has"))
        #expect(tooLong.text().contains("\nempty, because the request has no such property: news_english\n"))
        let unwrapped = try explanation(file(#"{"notification":{"title":"$(headline)"}}"#, .fcmv1))
        #expect(unwrapped.faults == 1)
        #expect(unwrapped.text().contains("[InvalidNotificationFormat]"))
    }

    @Test(arguments: [
        (#"{"a":"$(headline_de:{none})"}"#, []), (#"{"a":"$(headline_de)"}"#, ["headline_de"]),
        (#"{"a":"$(Headline_DE:{none})","b":"{'x' + $(headline_de)}"}"#, ["headline_de"]),
        (#"{"a":"{$(x:{1}) + $(y, 3)}"}"#, ["y"]),
    ])
    func `a property with a default in the template does not stay empty`(body: String, missing: [String]) throws {
        let template = file(body)
        #expect(TemplateFinding(template, carried: ["headline"]).missing == missing)
        let document = try JSONReader.read(try explanation(template).json)[member: "requests"]?.array?.first
        let notification = try #require(document?[member: "notifications"]?.array?.first)
        #expect(notification[member: "missing"]?.array?.compactMap(\.string) == missing)
    }

    @Test func `the JSON form has the request and the exact bytes of the notification`() throws {
        let json = try explanation(file(#"{"aps": {"alert":"$(headline)"},"x":"$(y)"}"#)).json
        let document = try #require(try JSONReader.read(json)[member: "requests"]?.array?.first)
        #expect(document[member: "url"]?.string?.hasPrefix("https://") == true)
        let notification = try #require(document[member: "notifications"]?.array?.first)
        #expect(notification[member: "body"]?.string == #"{"aps":{"alert":"Breaking: Bridge closed"},"x":""}"#)
        #expect(notification[member: "bytes"]?.int64 == 50)
        #expect(notification[member: "maximumBytes"]?.int64 == 4096)
        #expect(notification[member: "missing"] == .array([.string("y")]))
        #expect(notification[member: "outcome"] == nil)
    }

    @Test func `JSON is a raw notification on Windows`() throws {
        let raw = try file(#"{"a":"$(b)"}"#, .wns).template.get()
        #expect(raw.render(TemplateValues([])).headers == [NamedValue("X-WNS-Type", "wns/raw")])
        #expect(throws: Never.self) { try file(" {}", .mpns).template.get() }
    }

    @Test(arguments: [("apns", PushPlatform.apns), ("fcmV1", .fcmv1), ("WNS", .wns), ("ios", nil)])
    func `platforms are named in any case`(argument: String, platform: PushPlatform?) {
        #expect(PushPlatform(argument: argument) == platform)
    }

    private func report(_ templates: TemplateFile...) throws -> LintReport {
        let configuration = try SampleNewsroom.reader.read(text: SampleNewsroom.yaml, source: "news.yaml")
        return LintReport(
            file: "news.yaml",
            result: .success(configuration),
            records: [],
            templates: templates,
            now: SampleNewsroom.now
        )
    }

    @Test func `lint lists the properties that a sound template reads`() throws {
        let report = try report(file(#"{"aps":{"alert":"$(Headline_FR)","u":"$(url)"}}"#), file("{}"))
        #expect(
            report.lines.prefix(2) == [
                "alert.json: fine: a template for apns that reads headline_fr, url",
                "alert.json: fine: a template for apns that reads nothing",
            ]
        )
        #expect(!report.hasProblems)
    }

    @Test func `lint fails for a property that is never sent, and warns of one that no template uses`() throws {
        let body = #"{"notification":{"title":"$(News_English)","body":"New: $(summary)"}}"#
        let report = try report(file(body, .fcmv1))
        #expect(report.lines.count == 4)
        #expect(report.lines.prefix(2).allSatisfy { $0.hasPrefix("alert.json: warning: ") })
        #expect(report.lines[0].contains("/body/notification/body: this is plain text"))
        #expect(report.lines[1].contains("the outer object \"message\" is missing"))
        #expect(report.lines[2].hasPrefix("alert.json: no send has the property news_english, so it is empty"))
        #expect(report.hasProblems)
        // A default in the template declares that the property may be missing.
        #expect(try !self.report(file(#"{"aps":{"alert":"$(headline)","badge":"$(unread:{1})"}}"#)).hasProblems)
    }

    @Test func `lint fails for a template that the hub would refuse, and names the position of the error`() throws {
        let report = try report(
            file("{\"aps\":{\"alert\":\"$(a) and $(b)\"}}"),
            file("not XML", .wns, name: "toast.xml")
        )
        let first = "alert.json: /body/aps/alert: Only valid composition operator is +"
        #expect(report.lines[0].hasPrefix(first))
        #expect(report.lines[1].hasPrefix("toast.xml: /body: "))
        #expect(report.hasProblems)
        let document = try JSONReader.read(report.json)
        let templates = try #require(document[member: "templates"]?.array)
        #expect(templates.map { $0[member: "code"]?.string } == ["template_invalid_operator", "template_invalid_body"])
        #expect(templates.first?[member: "path"]?.string == "/body/aps/alert")
    }

    @Test func `lint compares property names with the configuration only if the configuration is sound`() throws {
        let template = file(#"{"a":"$(unheard_of)"}"#)
        #expect(TemplateFinding(template, carried: nil).missing.isEmpty)
        #expect(TemplateFinding(template, carried: ["other"]).missing == ["unheard_of"])
        #expect(TemplateFinding(template, carried: ["Unheard_Of"]).missing.isEmpty)
    }

    @Test func `the commands take templates from files`() async throws {
        var errors: [String] = []
        let missing = await Newsflash.main(
            ["lint", "--template", "/nowhere/alert.json"],
            output: { _ in },
            errors: { errors.append($0) }
        )
        #expect(missing.rawValue == 65)
        #expect(errors.joined().contains("/nowhere/alert.json cannot be read"))
        let wrong = await Newsflash.main(
            ["explain", "--platform", "ios"],
            output: { _ in },
            errors: { errors.append($0) }
        )
        #expect(wrong.rawValue == 64)
        #expect(errors.joined().contains("fcmv1"))
    }
}
