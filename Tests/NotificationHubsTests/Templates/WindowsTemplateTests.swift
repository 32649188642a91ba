import NewsflashStrictXML
import NotificationHubs
import Testing

@Suite("Templates of Windows", .timeLimit(.minutes(1)))
struct WindowsTemplateTests {
    private static let values = TemplateValues([
        NamedValue("title", "<b>\"Dam\" & 'co'</b>\n"), NamedValue("count", "40"), NamedValue("type", "wns/tile"),
    ])

    private func render(
        _ body: String,
        headers: [NamedValue] = [],
        platform: PushPlatform = .wns
    ) throws -> RenderedNotification {
        let description = TemplateDescription(body: body, headers: headers)
        return try NotificationTemplate(description, platform: platform).render(Self.values)
    }

    @Test(arguments: [
        ("<toast><text>$(count)</text></toast>", "<toast><text>40</text></toast>"),
        ("<toast><text id=\"$(count)\"/></toast>", "<toast><text id=\"40\"/></toast>"),
        ("<toast><text a='$(count)'>  </text></toast>", "<toast><text a=\"40\">  </text></toast>"),
        // `#( )` is a number in JSON only.
        ("<badge value=\"#(count)\"/>", "<badge value=\"40\"/>"),
        ("<toast><text>$(missing)</text></toast>", "<toast><text></text></toast>"),
        // Text beside elements is copied, and so is text that does not begin like an expression.
        ("<toast>$(count)<text>n $(count)</text></toast>", "<toast>$(count)<text>n $(count)</text></toast>"),
        ("<toast> <text/>\n</toast>", "<toast> <text/>\n</toast>"),
        // Parsed after the escapes of XML, also from CDATA.
        ("<toast><text>{&quot;a&lt;&quot; + $(count)}</text></toast>", "<toast><text>a&lt;40</text></toast>"),
        ("<toast><text><![CDATA[{'&' + $(count)}]]></text></toast>", "<toast><text>&amp;40</text></toast>"),
        ("<toast><text>$(co<!-- x -->unt)</text></toast>", "<toast><text>40</text></toast>"),
        ("<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<!-- x --><tile a=\"&amp;&#10;\"/>", "<tile a=\"&amp;&#10;\"/>"),
        // A value is always text.
        (
            "<toast launch=\"$(title)\"><text>$(title)</text></toast>",
            "<toast launch=\"&lt;b&gt;&quot;Dam&quot; &amp; 'co'&lt;/b&gt;&#10;\">"
                + "<text>&lt;b&gt;\"Dam\" &amp; 'co'&lt;/b&gt;\n</text></toast>"
        ),
        ("<x:toast xmlns:x=\"u\"/>", nil),
    ])
    func `values are inserted into attributes and into text of inner elements`(body: String, expected: String?)
        throws
    {
        #expect((try? render(body)).map { String(decoding: $0.body, as: UTF8.self) } == expected)
    }

    @Test(arguments: [
        ("<toast/>", [], [NamedValue("X-WNS-Type", "wns/toast")]),
        ("<Tile/>", [], [NamedValue("X-WNS-Type", "wns/tile")]),
        (
            "<badge/>", [NamedValue("X-WNS-TTL", "$(count)")],
            [NamedValue("X-WNS-TTL", "40"), NamedValue("X-WNS-Type", "wns/badge")]
        ),
        ("<toast/>", [NamedValue("x-wns-type", "wns/toast")], [NamedValue("x-wns-type", "wns/toast")]),
        ("<tile/>", [NamedValue("X-WNS-Type", "$(type)")], [NamedValue("X-WNS-Type", "wns/tile")]),
        ("<anything/>", [NamedValue("X-WNS-Type", "WNS/Raw")], [NamedValue("X-WNS-Type", "WNS/Raw")]),
        (" {\"a\":\"$(count)\"} ", [NamedValue("X-WNS-Type", "wns/raw")], [NamedValue("X-WNS-Type", "wns/raw")]),
    ])
    func `the type is that of the root element if no header has it`(
        body: String,
        given: [NamedValue],
        expected: [NamedValue]
    ) throws {
        #expect(try render(body, headers: given).headers == expected)
    }

    @Test(arguments: [
        ("<html/>", [], TemplateError.Code.invalidBody, "/body"), ("<raw/>", [], .invalidBody, "/body"),
        ("<toast>", [], .invalidBody, "/body"), ("<toast/><toast/>", [], .invalidBody, "/body"),
        ("<!DOCTYPE t [<!ENTITY e 'x'>]><toast>&e;</toast>", [], .invalidBody, "/body"),
        ("text", [], .invalidBody, "/body"), ("", [], .invalidBody, "/body"), ("[1]", [], .invalidBody, "/body"),
        ("<other/>", [NamedValue("X-WNS-Type", "$(type)")], .invalidBody, "/body"),
        ("<raw", [NamedValue("X-WNS-Type", "wns/raw")], .invalidBody, "/body"),
        ("{\"a\":1}", [], .missingHeader, "/headers"),
        ("{", [NamedValue("X-WNS-Type", "wns/raw")], .invalidBody, "/body"),
        ("<toast/>", [NamedValue("X-WNS-Tag", " ")], .invalidHeader, "/headers/X-WNS-Tag"),
        ("<toast/>", [NamedValue("X-WNS-Tag", "$(a")], .missingClosing, "/headers/X-WNS-Tag"),
        ("<toast a=\"$(a\"/>", [], .missingClosing, "/body/toast/@a"),
        ("<toast><v><text/><text/><text>$a</text></v></toast>", [], .tokenTooShort, "/body/toast/v/text[3]"),
    ])
    func `a refused template is reported with the field`(
        body: String,
        headers: [NamedValue],
        code: TemplateError.Code,
        path: String
    ) throws {
        let error = try #require(throws: TemplateError.self) { try render(body, headers: headers) }
        #expect(error.code == code)
        #expect(error.path == path)
    }

    @Test func `the error of a wrong root has the text of the SDK`() throws {
        let error = try #require(throws: TemplateError.self) { try render("<html/>") }
        #expect(
            error.message
                == "The bodyTemplate is not in accepted XML format. The first node of the bodyTemplate should be "
                + "Badge/Tile/Toast, except wns/raw template, which need to be a valid XML."
        )
    }

    @Test func `a type that does not match the body has a warning`() throws {
        let misfits = [("<toast/>", "wns/tile"), ("{}", "wns/toast")].map {
            TemplateDescription(body: $0.0, headers: [NamedValue("X-WNS-Type", $0.1)])
        }
        for description in misfits {
            #expect(try NotificationTemplate(description, platform: .wns).warnings.count == 1)
        }
    }

    @Test(arguments: [
        (
            "<wp:Notification xmlns:wp=\"WPNotification\"><wp:Toast><wp:Text1>$(count)</wp:Text1></wp:Toast></wp:Notification>",
            "toast", "2"
        ),
        ("<Notification xmlns=\"WPNotification\"> <Tile><Count>$(count)</Count></Tile></Notification>", "token", "1"),
    ])
    func `the target and class of Windows Phone are found in the body`(
        body: String,
        target: String,
        notificationClass: String
    ) throws {
        let rendered = try render(body, platform: .mpns)
        #expect(
            rendered.headers
                == [NamedValue("X-WindowsPhone-Target", target), NamedValue("X-NotificationClass", notificationClass)]
        )
        #expect(String(decoding: rendered.body, as: UTF8.self) == body.replacing("$(count)", with: "40"))
        #expect(PayloadCheck.fault(in: rendered.body, headers: rendered.headers, for: .mpns) == nil)
    }

    @Test(arguments: [
        ("<toast/>", TemplateError.Code.invalidBody),
        ("<Notification><Toast/></Notification>", .invalidBody),
        ("<wp:Notification xmlns:wp=\"other\"><wp:Toast/></wp:Notification>", .invalidBody),
        ("<Notification xmlns=\"WPNotification\"><Raw/></Notification>", .invalidBody),
        ("<Notification xmlns=\"WPNotification\"/>", .invalidBody), ("{}", .missingHeader),
    ])
    func `a body that Windows Phone does not have is refused`(body: String, code: TemplateError.Code) throws {
        let error = try #require(throws: TemplateError.self) { try render(body, platform: .mpns) }
        #expect(error.code == code)
    }

    @Test(arguments: ["3", "10", "13", "20", "23", "31"])
    func `any body is accepted for a raw class of Windows Phone`(notificationClass: String) throws {
        let headers = [NamedValue("X-NotificationClass", notificationClass)]
        #expect(try render("<any a=\"$(count)\"/>", headers: headers, platform: .mpns).headers == headers)
        #expect(try render("{\"a\":\"#(count)\"}", headers: headers, platform: .mpns).body == Array("{\"a\":40}".utf8))
    }
}
