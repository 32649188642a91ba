import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NotificationHubs
import Testing

@Suite("feedback", .timeLimit(.minutes(1)))
struct FeedbackTests {
    /// A hub where the handles of two of three devices are dead.
    private func desk(_ adjust: (inout HubEmulatorConfiguration) -> Void = { _ in }) throws -> Desk {
        let desk = try Desk(adjust)
        desk.hub.setFaults(
            [],
            deliveries: [
                DeliveryFault(outcome: "WrongToken", handle: "AA"),
                DeliveryFault(outcome: "ExpiredChannel", handle: "BB"),
                DeliveryFault(outcome: "Throttled", handle: "CC"),
            ]
        )
        for handle in ["AA", "BB", "CC", "DD"] { desk.install(handle.lowercased(), handle: handle) }
        desk.send()
        desk.hub.settle()
        return desk
    }

    /// Follows a URL of the hub, without a token in a header.
    private func follow(_ url: String, _ desk: Desk) -> HTTPResponse {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        let target = String(path[(path.firstIndex(of: "/") ?? path.startIndex)...])
        return desk.hub.answer(EmulatedRequest(method: "GET", target: target)).response
    }

    @Test(arguments: [nil, "for-development"])
    func `the URL of the feedback container lists a blob a day with the refused handles`(token: String?) throws {
        let desk = try desk { $0.consoleToken = token }
        let url = desk.device("GET", "feedbackcontainer").text
        let answer = follow(url, desk)
        must(answer, answer: 200)
        let listing = try XMLReader.read(answer.body)
        #expect(listing.name == "EnumerationResults")
        let blob = try #require(listing.first("Blobs")?.elements.first)
        #expect(listing.first("Blobs")?.elements.count == 1)
        #expect(blob.first("Name")?.text == "12312025")
        let parts = url.split(separator: "?", maxSplits: 1)
        let content = follow(parts[0] + "/12312025?" + parts[1], desk)
        must(content, answer: 200)
        #expect(blob.first("Properties")?.first("Content-Length")?.text == String(content.body.count))
        let lines = content.text.split(separator: "\n")
        #expect(lines.count == 2)
        let record = try XMLReader.read(String(try #require(lines.first).replacing("utf-16", with: "utf-8")))
        #expect(record.name == "PnsFeedback")
        #expect(record.first("NotificationSystemError")?.text == "WrongToken")
        #expect(record.first("Platform")?.text == "apple")
        #expect(record.first("PnsHandle")?.text == "AA")
        #expect(record.first("InstallationId")?.text == "aa")
        #expect(record.first("NotificationId")?.text == desk.hub.sends.first?.notificationID)
    }

    @Test func `telemetry has the URL of all failures of a notification, and none without failures`() throws {
        let desk = try desk()
        let id = try #require(desk.hub.sends.first?.notificationID)
        let telemetry = try XMLReader.read(desk.device("GET", "messages/\(id)").body)
        let errors = follow(try #require(telemetry.first("PnsErrorDetailsUri")?.text), desk)
        must(errors, answer: 200)
        #expect(errors.text.split(separator: "\n").count == 3)
        desk.hub.setFaults([])
        desk.send(tags: "nobody")
        desk.hub.settle()
        let other = try #require(desk.hub.sends.last?.notificationID)
        #expect(try XMLReader.read(desk.device("GET", "messages/\(other)").body).first("PnsErrorDetailsUri") == nil)
    }

    @Test
    func `feedback needs the signature of its URL if the hub needs a token, and the signature opens nothing else`()
        throws
    {
        let desk = try desk { $0.consoleToken = "for-development" }
        let url = desk.device("GET", "feedbackcontainer").text
        let signature = try #require(url.split(separator: "&sig=").last)
        #expect(!url.contains("for-development"), "clients that may only send receive it")
        #expect(follow(url, desk).status == 200)
        #expect(follow("http://h/_emulator/feedback/Breaking-News?sig=other", desk).status == 401)
        #expect(follow("http://h/_emulator/feedback/Breaking-News?sig=for-development", desk).status == 401)
        #expect(follow("http://h/_emulator/feedback/Breaking-News", desk).status == 401)
        #expect(follow("http://h/_emulator/devices?sig=\(signature)", desk).status == 401)
    }

    @Test(arguments: [
        ("feedback", 404), ("feedback/other", 404), ("feedback/breaking-news/01012026", 404),
        ("feedback/breaking-news/NH-1", 404), ("feedback/breaking-news/1/2", 404), ("feedback/breaking-NEWS", 200),
    ])
    func `an unknown hub, day or notification has no feedback`(path: String, status: Int) throws {
        must(try desk().inspect("GET", path), answer: status)
    }
}
