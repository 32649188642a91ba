import HTTPTransport
import HubEmulator
import NotificationHubs
import Testing

@Suite("Bodies that are too large, or slow to read", .timeLimit(.minutes(1)))
struct BodyLimitTests {
    private static let operations = [
        ("POST", "/Breaking-News/registrations"), ("PUT", "/Breaking-News/registrations/1-2-3"),
        ("PUT", "/Breaking-News/installations/i"), ("PATCH", "/Breaking-News/installations/i"), ("PUT", "/other"),
        ("POST", "/Breaking-News/messages"), ("POST", "/Breaking-News/schedulednotifications"),
    ]

    @Test(arguments: operations)
    func `a body above 64 KB is refused before it is read and before authorization`(method: String, path: String) throws
    {
        let desk = try Desk()
        for token in [desk.token(), "nobody's"] {
            let request = desk.request(
                path,
                method: method,
                headers: [.init("Authorization", token)],
                body: "<a>" + String(repeating: "\n", count: 65_534)
            )
            let answer = desk.hub.answer(request).response
            #expect(answer.status == 413)
            #expect(
                answer.text.hasPrefix("<Error><Code>413</Code><Detail>The request entity is too large: it has at most")
            )
        }
        #expect(desk.hub.stats.byStatus == [413: 2])
    }

    @Test func `a device of exactly 64 KB is accepted`() throws {
        let desk = try Desk()
        let start = #"{"platform":"apns","pushChannel":"AB""#
        let body = start + String(repeating: " ", count: 65_536 - start.utf8.count - 1) + "}"
        #expect(desk.device("PUT", "installations/i", body: body).status == 200)
        #expect(desk.device("PUT", "installations/i", body: body + " ").status == 413)
    }

    @Test func `the parts of a batch are found in linear time`() throws {
        let desk = try Desk()
        let boundary = String(repeating: "-", count: 8000)
        let answer = desk.post(
            "/Breaking-News/messages/$batch?direct&api-version=2020-06",
            headers: [.init("Content-Type", "multipart/mixed; boundary=\(boundary)x")],
            body: String(repeating: "-", count: 4_000_000),
            format: "apple"
        )
        #expect(answer.status == 400)
    }

    @Test func `a line that looks like the end of a batch is text within a part`() throws {
        let desk = try Desk()
        let notification = #"{"aps":{"alert":"--b and --b--"}}"#
        func part(_ name: String, _ content: String) -> String {
            "--b\r\nContent-Disposition: inline; name=\(name)\r\n\r\n\(content)\r\n"
        }
        let answer = desk.post(
            "/Breaking-News/messages/$batch?direct&api-version=2020-06",
            headers: [.init("Content-Type", "multipart/mixed; boundary=b")],
            body: part("notification", notification) + part("devices", #"["AB"]"#) + "--b--\r\n",
            format: "apple"
        )
        #expect(answer.status == 201)
        #expect(desk.hub.sends.first?.text == notification)
    }
}
