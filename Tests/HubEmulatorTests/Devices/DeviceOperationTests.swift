import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("registrations and installations", .timeLimit(.minutes(1)))
struct DeviceOperationTests {
    private static func entry(_ token: String = "AB01", tags: String = "world") -> String {
        """
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
        <AppleRegistrationDescription xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect">\
        <Tags>\(tags)</Tags><DeviceToken>\(token)</DeviceToken></AppleRegistrationDescription></content></entry>
        """
    }

    @Test func `the hub creates an id that a later write uses`() throws {
        let desk = try Desk()
        let location = try #require(desk.device("POST", "registrationIDs").headers["Location"])
        let id = try #require(location.split(separator: "?").first?.split(separator: "/").last)
        #expect(location.hasPrefix("https://127.0.0.1:8080/Breaking-News/registrationids/"))
        let written = desk.device("PUT", "registrations/\(id)", body: Self.entry())
        #expect(written.status == 200)
        #expect(written.headers["ETag"] == "W/\"1\"")
        #expect(desk.device("GET", "registrations/\(id)").text.contains("<DeviceToken>AB01</DeviceToken>"))
    }

    @Test(arguments: [
        ("\"1\"", 200), ("W/\"1\"", 200), ("1", 200), ("*", 200), ("\"2\"", 412), ("W/\"9\"", 412), ("soon", 400),
    ])
    func `a write or deletion with If-Match changes only that version`(condition: String, status: Int) throws {
        let desk = try Desk()
        let id = "123-234-1"
        must(desk.device("PUT", "registrations/\(id)", body: Self.entry()))
        let headers: HTTPHeaders = [.init("If-Match", condition)]
        let update = desk.device("PUT", "registrations/\(id)", headers: headers, body: Self.entry(tags: "sports"))
        #expect(update.status == status)
        if status == 200 { #expect(update.headers["ETag"] == "W/\"2\"") }
        let other = try Desk()
        must(other.device("PUT", "registrations/\(id)", body: Self.entry()))
        #expect(other.device("DELETE", "registrations/\(id)", headers: headers).status == status)
        #expect(other.device("GET", "registrations/\(id)").status == (status == 200 ? 404 : 200))
    }

    @Test func `a missing device is answered with 404, an id of another form with 410`() throws {
        let desk = try Desk()
        let any: HTTPHeaders = [.init("If-Match", "*")]
        #expect(desk.device("GET", "registrations/1-2-3").status == 404)
        #expect(desk.device("DELETE", "registrations/1-2-3", headers: any).status == 404)
        #expect(desk.device("PUT", "registrations/1-2-3", headers: any, body: Self.entry()).status == 404)
        let gone = desk.device("PUT", "registrations/my-phone", body: Self.entry())
        #expect(gone.status == 410)
        #expect(gone.text.contains("Cannot use specified location. Use a different registration ID"))
        #expect(desk.device("GET", "installations/nobody").text.contains("Installation not found"))
        #expect(desk.device("PATCH", "installations/nobody", body: "[]").status == 404)
        #expect(desk.device("DELETE", "installations/nobody").status == 204)
    }

    @Test func `each page of a list has the token for the next`() throws {
        let desk = try Desk()
        for number in 1...5 {
            must(desk.device("PUT", "registrations/\(number)-1-1", body: Self.entry("AB0\(number)")))
        }
        var ids: [String] = []
        var token: String?
        repeat {
            let page = desk.device("GET", "registrations?$top=2\(token.map { "&ContinuationToken=\($0)" } ?? "")")
            #expect(page.status == 200)
            let feed = try XMLReader.read(page.body)
            ids += feed.elements.filter { $0.name == "entry" }.compactMap { $0.first("title")?.text }
            token = page.headers["x-ms-continuationtoken"]
            let next = feed.elements.contains { $0.name == "link" && $0.attribute("rel") == "next" }
            #expect(next == (token != nil))
        } while token != nil
        #expect(ids == ["1-1-1", "2-1-1", "3-1-1", "4-1-1", "5-1-1"])
    }

    @Test(arguments: [("$top=0", 400), ("$top=x", 400), ("continuationtoken=x", 400), ("$filter=Name%20eq%20'x'", 400)])
    func `a list with an invalid query is refused`(query: String, status: Int) throws {
        #expect(try Desk().device("GET", "registrations?\(query)").status == status)
    }

    @Test func `registrations are listed by tag and by handle`() throws {
        let desk = try Desk()
        must(desk.device("PUT", "registrations/1-1-1", body: Self.entry("AB01", tags: "world,sports")))
        must(desk.device("PUT", "registrations/2-1-1", body: Self.entry("AB02", tags: "sports")))
        must(desk.device("PUT", "registrations/3-1-1", body: Self.entry("AB01")))
        func titles(_ path: String) throws -> [String] {
            try XMLReader.read(desk.device("GET", path).body).elements.compactMap { $0.first("title")?.text }
        }
        #expect(try titles("tags/sports/registrations") == ["1-1-1", "2-1-1"])
        #expect(try titles("tags/SPORTS/registrations") == ["1-1-1", "2-1-1"])
        #expect(try titles("tags/nobody/registrations").isEmpty)
        #expect(try titles("registrations?$filter=ChannelUri+eq+%27AB01%27") == ["1-1-1", "3-1-1"])
        #expect(try titles("registrations?$filter=DeviceToken%20eq%20'ab02'") == ["2-1-1"])
        must(desk.device("PUT", "registrations/1-1-1", body: Self.entry("AB09", tags: "world")))
        #expect(try titles("tags/sports/registrations") == ["2-1-1"])
        #expect(try titles("registrations?$filter=ChannelUri+eq+%27AB01%27") == ["3-1-1"])
    }

    @Test func `the registrations of an installation keep their ids`() throws {
        let desk = try Desk()
        desk.install("phone", tags: ["world"])
        func list() throws -> [(id: String, etag: String?, tags: String?)] {
            try XMLReader.read(desk.device("GET", "registrations").body).elements.filter { $0.name == "entry" }.map {
                (
                    $0.first("title")?.text ?? "", $0.attribute("etag"),
                    $0.first("content")?.elements.first?.first("Tags")?.text
                )
            }
        }
        let before = try list()
        #expect(before.map(\.tags) == ["$InstallationId:{phone},world", "$InstallationId:{phone},world,news"])
        let patch = #"[{"op":"add","path":"/tags","value":"sports"}]"#
        #expect(desk.device("PATCH", "installations/phone", body: patch).status == 200)
        let after = try list()
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map(\.etag) == ["W/\"2\"", "W/\"2\""])
        #expect(after.first?.tags == "$InstallationId:{phone},world,sports")
        #expect(desk.device("DELETE", "installations/phone").status == 204)
        #expect(try list().isEmpty)
    }

    @Test func `a hub stores as many devices as its tier allows`() throws {
        let desk = try Desk { $0.tier = .free }
        for number in 0..<250 { desk.install("p-\(number)") }
        let refused = desk.install("one-more", answers: 403)
        #expect(refused.status == 403)
        #expect(refused.text.contains("quota of 500"))
        desk.install("p-0", tags: ["world"])
    }

    @Test func `expired registrations do not count for the quota`() throws {
        let clock = SetClock()
        let desk = try Desk {
            $0.tier = .free
            $0.clock = clock.read
        }
        let life =
            "<NotificationHubDescription><RegistrationTtl>P1D</RegistrationTtl></NotificationHubDescription>"
        let update: HTTPHeaders = [.init("If-Match", "*")]
        must(desk.post("/Breaking-News", method: "PUT", headers: update, body: life, format: nil), answer: 200)
        for number in 0..<250 { desk.install("p-\(number)") }
        desk.install("one-more", answers: 403)
        clock.set(Desk.now + .seconds(90_000))
        let token: HTTPHeaders = [.init("Authorization", desk.token(life: 200_000))]
        let phone = #"{"installationId":"i","platform":"apns","pushChannel":"00FC"}"#
        must(desk.device("PUT", "installations/i", headers: token, body: phone), answer: 200)
    }

    @Test func `an operation is refused without the claim that it needs`() throws {
        let desk = try Desk()
        let listen: HTTPHeaders = [.init("Authorization", desk.token(policy: "Listen Only"))]
        #expect(desk.device("PUT", "registrations/1-1-1", headers: listen, body: Self.entry()).status == 200)
        #expect(desk.device("GET", "registrations?$filter=ChannelUri+eq+%27AB01%27", headers: listen).status == 200)
        #expect(desk.device("GET", "registrations", headers: listen).status == 403)
        #expect(desk.device("GET", "tags/world/registrations", headers: listen).status == 403)
        #expect(desk.post(headers: listen).status == 403)
        let hub = desk.post("/Breaking-News?api-version=2020-06", method: "GET", headers: listen, format: nil)
        #expect(hub.status == 401)
        #expect(hub.text.contains("Manage claim is required for this operation."))
    }

    @Test func `hubs are created, described and deleted`() throws {
        let desk = try Desk()
        let headers: HTTPHeaders = [.init("Authorization", desk.token(url: "http://127.0.0.1:8080/"))]
        func hub(_ method: String, _ headers: HTTPHeaders) -> HTTPResponse {
            desk.post("/regional?api-version=2017-04", method: method, headers: headers, body: "", format: nil)
        }
        #expect(hub("GET", headers).text.contains("Publicly Listed Services"))
        #expect(hub("PUT", headers).status == 201)
        #expect(hub("PUT", headers).status == 409)
        #expect(hub("GET", headers).text.contains("<KeyName>DefaultFullSharedAccessSignature</KeyName>"))
        let send = desk.post("/regional/messages?api-version=2020-06", headers: headers)
        #expect(send.status == 201)
        let all = desk.post("/?api-version=2017-04", method: "GET", headers: headers, body: "", format: nil)
        #expect(all.status == 200)
        #expect(hub("DELETE", headers).status == 200)
        #expect(desk.post("/regional/messages?api-version=2020-06", headers: headers).status == 404)
    }
}
