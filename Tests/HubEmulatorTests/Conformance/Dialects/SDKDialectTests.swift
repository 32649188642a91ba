import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictJSON
import NewsflashStrictXML
import NotificationHubs
import Testing

@Suite("the dialects of SDKs", .timeLimit(.minutes(1)))
struct SDKDialectTests {
    private static let token = String(repeating: "00fc", count: 16)
    private static let template = [
        "Tags": "world,sports", "DeviceToken": token, "Expiry": "0", "TemplateName": "alerts",
        "BodyTemplate": "<![CDATA[{\"aps\":{\"alert\":\"$(title)\"}}]]>",
    ]

    @Test(arguments: SDKDialect.all)
    func `the hub accepts registrations in each dialect`(dialect: SDKDialect) throws {
        let client = try SDKClient(dialect)
        let name = client.ask("POST", "registrationids")
        #expect(name.status == 201, "\(name.text)")
        // The JavaScript SDK accepts no other scheme.
        #expect(name.headers["Location"]?.hasPrefix("https://") == true)
        let created = client.register(Self.template)
        #expect(created.status == 200, "\(created.text)")
        let entry = try #require(RecordedBody(created.text).entries.first)
        #expect(entry.description.localName == "AppleTemplateRegistrationDescription")
        #expect(entry.description.first("DeviceToken")?.text == Self.token.uppercased())
        let updated = client.register(Self.template, id: entry.id, ifMatch: 1)
        #expect(updated.status == 200, "\(updated.text)")
        #expect(updated.text.contains("<ETag>2</ETag>"))
        #expect(client.register(Self.template, id: entry.id, ifMatch: 1).status == 412)
        #expect(client.ask("GET", "registrations/\(entry.id)").status == 200)
        let deleted = client.ask("DELETE", "registrations/\(entry.id)", headers: [.init("If-Match", "*")])
        #expect(deleted.status == 200, "\(deleted.text)")
        #expect(client.ask("GET", "registrations/\(entry.id)").status == 404)
    }

    /// The tutorials' apps register before the subscriber has chosen anything.
    @Test func `a template registration without tags receives no send to a category`() throws {
        let client = try SDKClient(.iOS)
        var elements = Self.template
        elements["Tags"] = nil
        let name = client.ask("POST", "registrationids")
        let id = try #require(name.headers["Location"]?.split(separator: "?").first?.split(separator: "/").last)
        let registered = client.register(elements, id: String(id))
        #expect(registered.status == 200, "\(registered.text)")
        let world = HTTPHeaders([.init("ServiceBusNotification-Tags", "World")])
        #expect(client.send(#"{"title":"a"}"#, format: "template", headers: world).status == 201)
        #expect(client.desk.hub.settledDeliveries.isEmpty)
        #expect(client.send(#"{"title":"b"}"#, format: "template").status == 201)
        #expect(client.desk.hub.settledDeliveries.map(\.handle) == [Self.token.uppercased()])
    }

    @Test(arguments: SDKDialect.all)
    func `registrations are listed page by page and by handle in each dialect`(dialect: SDKDialect) throws {
        let client = try SDKClient(dialect)
        for index in 0..<5 {
            var elements = Self.template
            elements["TemplateName"] = "alerts-\(index)"
            #expect(client.register(elements).status == 200)
        }
        var names: Set<String> = []
        var query = ["$top=2"]
        for page in 1...3 {
            let answer = client.ask("GET", "registrations", query: query)
            #expect(answer.status == 200, "page \(page): \(answer.text)")
            names.formUnion(RecordedBody(answer.text).entries.map(\.id))
            let continuation = answer.headers["x-ms-continuationtoken"]
            #expect((continuation == nil) == (page == 3))
            query = ["$top=2"] + (continuation.map { [dialect.continuation($0)] } ?? [])
        }
        #expect(names.count == 5)
        let found = client.ask(
            "GET",
            "registrations",
            query: [dialect.handleFilter(Self.token.uppercased()), "$top=100"]
        )
        #expect(RecordedBody(found.text).entries.count == 5, "\(found.text.prefix(300))")
        #expect(RecordedBody(client.ask("GET", "tags/world/registrations").text).entries.count == 5)
    }

    @Test(arguments: SDKDialect.all.filter(\.knowsInstallations))
    func `the hub accepts installations in each dialect`(dialect: SDKDialect) throws {
        let client = try SDKClient(dialect)
        let json = HTTPHeaders([.init("Content-Type", "application/json")])
        let body = #"{"installationId":"i-1","platform":"apns","pushChannel":"\#(Self.token)","tags":["world"]}"#
        let written = client.ask("PUT", "installations/i-1", headers: json, body: Array(body.utf8))
        #expect(written.status == 200, "\(written.text)")
        let patch =
            #"[{"op":"add","path":"/tags","value":"sports"},{"op":"replace","path":"/userId","value":"reader-1"}]"#
        let patched = client.ask(
            "PATCH",
            "installations/i-1",
            headers: [.init("Content-Type", dialect.patchType)],
            body: Array(patch.utf8)
        )
        #expect(patched.status == 200, "\(patched.text)")
        let read = client.ask("GET", "installations/i-1")
        let shown = try JSONReader.read(read.body)
        #expect(shown[member: "userId"]?.string == "reader-1")
        #expect(shown[member: "tags"]?.array?.compactMap(\.string) == ["world", "sports"])
        #expect(client.ask("DELETE", "installations/i-1").status == 204)
        #expect(client.ask("GET", "installations/i-1").status == 404)
    }

    @Test(arguments: SDKDialect.all)
    func `the hub accepts all kinds of sends in each dialect`(dialect: SDKDialect) throws {
        let client = try SDKClient(dialect)
        let payload = #"{"aps":{"alert":"é"}}"#
        let tags = HTTPHeaders([.init("ServiceBusNotification-Tags", "world || sports")])
        #expect(client.send(#"{"title":"é"}"#, format: "template", headers: tags).status == 201)
        #expect(client.send(payload, format: "apple").status == 201)
        #expect(client.send(#"{"message":{}}"#, format: "FcmV1").status == 201)
        let windows = client.send(
            "<?xml version=\"1.0\" encoding=\"utf-16\"?><toast/>",
            format: "windows",
            headers: [.init("X-WNS-Type", "wns/toast")],
            type: "application/xml"
        )
        #expect(windows.status == 201, "\(windows.text)")
        let handle = HTTPHeaders([.init("ServiceBusNotification-DeviceHandle", Self.token)])
        let direct = client.send(payload, format: "apple", flags: ["direct"], headers: handle)
        #expect(direct.status == (dialect.knowsDirectSends ? 201 : 400), "\(direct.text)")
        let batch = client.send(
            Self.batch(payload, boundary: dialect.boundary),
            format: "apple",
            to: "messages/$batch",
            flags: ["direct"],
            type: dialect.batchType
        )
        #expect(batch.status == (dialect.knowsBatches ? 201 : 400), "\(batch.text)")
        #expect([200, 201].contains(client.send(payload, format: "apple", flags: ["test"]).status))
        let scheduled = client.send(
            payload,
            format: "apple",
            to: "schedulednotifications",
            headers: [.init("ServiceBusNotification-ScheduleTime", dialect.scheduleTime)]
        )
        #expect(scheduled.status == 201, "\(scheduled.text)")
        let sends = client.desk.hub.sends
        let batches: [SendKind] = dialect.knowsBatches ? [.batch] : []
        let directs: [SendKind] = dialect.knowsDirectSends ? [.direct] : []
        #expect(sends.map(\.kind) == [.tags, .tags, .tags, .tags] + directs + batches + [.tags, .tags])
        #expect(sends.first?.expression?.description == "world || sports")
        #expect(sends.filter { $0.kind == .direct }.map(\.handles) == directs.map { _ in [Self.token] })
        let sent = sends.filter { $0.kind == .batch }
        #expect(sent.map(\.handles) == batches.map { _ in ["AB01", "AB02"] })
        #expect(sent.allSatisfy { $0.text == payload })
        #expect(sends.suffix(2).map(\.isTest) == [true, false])
    }

    @Test func `the hub accepts requests that SDKs write wrongly`() throws {
        let client = try SDKClient(.javaScript)
        // A test broadcast of the JavaScript SDK contains a tag.
        let tags = HTTPHeaders([.init("ServiceBusNotification-Tags", "undefined")])
        #expect(client.send("{}", format: "apple", flags: ["test"], headers: tags).status != 400)
        #expect(client.desk.hub.sends.first?.expression?.description == "undefined")
        // Its filter for Baidu has no closing quote.
        let elements = ["BaiduUserId": "u", "BaiduChannelId": "c"]
        #expect(client.register(elements, kind: "Baidu").status == 200)
        let filter = "%24filter=BaiduChannelId%20eq%20'c'%20and%20BaiduUserId%20eq%20'u"
        let found = client.ask("GET", "registrations", query: [filter])
        #expect(RecordedBody(found.text).entries.count == 1, "\(found.text.prefix(300))")
    }

    /// Python writes XML with numeric references, or in bare bytes of Latin-1 although it declares UTF-8.
    @Test(arguments: [Array("Eil&#233;".utf8), Array("Eil".utf8) + [0xE9]])
    func `the letters of Python's registrations are decoded`(word: [UInt8]) throws {
        let client = try SDKClient(.python)
        var elements = Self.template
        elements["BodyTemplate"] = "{\"aps\":{\"alert\":\"{'WORD: ' + $(title)}\"}}"
        let body = Array(client.entry(elements, kind: "AppleTemplateRegistrationDescription").utf8)
        let created = client.ask(
            "POST",
            "registrations",
            headers: [.init("Content-Type", client.dialect.entryType)],
            body: Array(body.split(separator: Array("WORD".utf8), maxSplits: 1).joined(separator: word))
        )
        #expect(created.status == 200, "\(created.text)")
        #expect(created.text.contains("{'Eilé: ' + $(title)}"))
    }

    @Test(arguments: SDKDialect.all)
    func `a wrong key is refused in every dialect`(dialect: SDKDialect) throws {
        let client = try SDKClient(dialect)
        let header = dialect.signer.header(
            host: "127.0.0.1:8080",
            hub: "Breaking-News",
            path: "/Breaking-News/messages",
            query: "?api-version=2020-06",
            policy: SDKClient.policy,
            key: SharedAccessKey("another key")
        )
        let response = client.desk.post(headers: [.init("Authorization", header)])
        #expect(response.status == 401)
        #expect(response.text.contains("InvalidSignature"))
    }

    private static func batch(_ payload: String, boundary: String) -> String {
        [
            "--" + boundary, "Content-Type: application/json; charset=utf-8",
            "Content-Disposition: inline; name=notification", "", payload,
            "--" + boundary, "Content-Type: application/json; charset=utf-8",
            "Content-Disposition: inline; name=devices", "", #"["AB01","AB02"]"#, "--" + boundary + "--", "",
        ].joined(separator: "\r\n")
    }
}
