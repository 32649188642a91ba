import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
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

    /// Bodies, made of many equal pieces, that are slow to search for their boundary if each byte is compared often.
    private static let slowBatches: [(name: String, piece: String, boundary: @Sendable (_ size: Int) -> String)] = [
        ("one line that is almost the boundary everywhere", "-", { String(repeating: "-", count: $0 / 2) + "x" }),
        ("empty parts", "--b\n", { _ in "b" }), ("heads without an end", "--b\n\r\n\r \n", { _ in "b" }),
    ]

    @Test(arguments: slowBatches.indices)
    func `the parts of a batch are found in linear time`(index: Int) throws {
        let (name, piece, boundary) = Self.slowBatches[index]
        let growth = try growth(
            from: 40_000,
            prepare: { size in
                let body = String(repeating: piece, count: size / piece.utf8.count)
                return (desk: try Desk(), boundary: boundary(size), body: body)
            },
            work: { batch in
                let answer = batch.desk.post(
                    "/Breaking-News/messages/$batch?direct&api-version=2020-06",
                    headers: [.init("Content-Type", "multipart/mixed; boundary=\(batch.boundary)")],
                    body: batch.body,
                    format: "apple"
                )
                #expect(answer.status == 400)
            }
        )
        #expect(growth < 8, "\(name): four times the body takes \(growth) times as long")
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
