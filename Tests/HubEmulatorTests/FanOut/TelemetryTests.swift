import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("telemetry, test sends and schedules", .timeLimit(.minutes(1)))
struct TelemetryTests {
    @Test func `telemetry has the counts of a message by platform and outcome`() throws {
        let desk = try Desk()
        desk.install("a", tags: ["world"])
        desk.install("b", tags: ["world"], platform: "wns", body: "<toast><text>$(title)</text></toast>")
        desk.hub.setFaults([], deliveries: [DeliveryFault(outcome: "ExpiredChannel", platform: .wns)])
        let id = try #require(desk.send(tags: "world").notificationID)
        desk.hub.settle()
        let answer = desk.device("GET", "messages/\(id)")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/xml; charset=utf-8")
        let details = try XMLReader.read(answer.body)
        #expect(
            details.elements.map(\.name) == [
                "NotificationId", "Location", "State", "EnqueueTime", "StartTime", "EndTime", "NotificationBody",
                "Tags",
                "TargetPlatforms", "ApnsOutcomeCounts", "WnsOutcomeCounts", "PnsErrorDetailsUri",
            ]
        )
        #expect(details.first("NotificationId")?.text == id)
        #expect(details.first("Location")?.text.hasPrefix("sb://127.0.0.1:8080/Breaking-News/messages/\(id)") == true)
        #expect(details.first("State")?.text == "Completed")
        #expect(details.first("NotificationBody")?.text == #"{"title":"Dam gives way"}"#)
        #expect(details.first("TargetPlatforms")?.text == "appletemplate,windowstemplate")
        #expect(details.first("WnsOutcomeCounts")?.first("Outcome")?.first("Name")?.text == "ExpiredChannel")
        #expect(details.first("ApnsOutcomeCounts")?.first("Outcome")?.first("Count")?.text == "1")
    }

    @Test(arguments: [
        ("messages/NH-20260101000000000-0123456789abcdef0123456789abcdef-01", 404), ("messages/nonsense", 400),
        ("messages/1", 400),
    ])
    func `telemetry of a message that was never accepted is refused`(path: String, status: Int) throws {
        #expect(try Desk().device("GET", path).status == status)
    }

    @Test func `telemetry needs a recent version and the standard tier`() throws {
        let desk = try Desk()
        let id = try #require(desk.send().notificationID)
        #expect(
            desk.post("/Breaking-News/messages/\(id)?api-version=2015-01", method: "GET", format: nil).status == 400
        )
        let basic = try Desk { $0.tier = .basic }
        #expect(basic.device("GET", "messages/\(id)").status == 403)
        #expect(basic.device("GET", "feedbackcontainer").status == 403)
    }

    @Test(arguments: [(false, "http"), (true, "https")])
    func `the URL of the feedback container has the scheme of the request`(isSecure: Bool, scheme: String) throws {
        let desk = try Desk()
        var request = desk.request("/Breaking-News/feedbackcontainer", method: "GET", format: nil)
        request.isSecure = isSecure
        let url = desk.hub.answer(request).response.text
        #expect(url.hasPrefix("\(scheme)://127.0.0.1:8080/_emulator/feedback/"), "\(url)")
    }

    @Test func `a test send is answered with the outcome for up to ten devices`() throws {
        let desk = try Desk()
        for number in 0..<12 { desk.install("phone-\(number)", tags: ["world"]) }
        let outcome = try XMLReader.read(desk.send(tags: "world", flags: "&test").body)
        #expect(outcome.elements.map(\.name) == ["Success", "Failure", "Results"])
        #expect(outcome.first("Success")?.text == "10")
        let results = try #require(outcome.first("Results")?.elements)
        #expect(results.count == 10)
        #expect(
            results.first?.elements.map(\.name) == ["ApplicationPlatform", "PnsHandle", "RegistrationId", "Outcome"]
        )
        #expect(results.first?.first("ApplicationPlatform")?.text == "appletemplate")
        #expect(
            results.first?.first("Outcome")?.text
                == "The Notification was successfully sent to the Push Notification System"
        )
    }

    @Test func `ten test sends in any minute are allowed`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        let headers: HTTPHeaders = [.init("Authorization", desk.token(life: 600))]
        func test(at seconds: Int64, answers status: Int) -> HTTPResponse {
            clock.set(Desk.now + .seconds(seconds))
            return desk.send(flags: "&test=true", headers: headers, answers: status)
        }
        for number in 0..<10 { _ = test(at: number < 5 ? 0 : 30, answers: 201) }
        let refused = test(at: 30, answers: 429)
        #expect(refused.headers["Retry-After"] == "60")
        _ = test(at: 59, answers: 429)
        // The first five are older than a minute now, and refused test sends do not count.
        for _ in 0..<5 { _ = test(at: 60, answers: 201) }
        _ = test(at: 60, answers: 429)
        _ = test(at: 89, answers: 429)
        for _ in 0..<5 { _ = test(at: 90, answers: 201) }
        _ = test(at: 90, answers: 429)
    }

    @Test(arguments: [0, 3, 500, nil])
    func `the number of test sends per minute is configurable`(limit: Int?) throws {
        let desk = try Desk { $0.testSendsPerMinute = limit }
        for _ in 0..<(limit ?? 1000) { _ = desk.send(flags: "&test", answers: 201) }
        _ = desk.send(flags: "&test", answers: limit == nil ? 201 : 429)
        desk.hub.reset()
        _ = desk.send(flags: "&test", answers: limit == 0 ? 429 : 201)
    }

    @Test func `test sends are counted from zero if the clock was set back`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        let long = [HTTPHeaders.Field("Authorization", desk.token(life: 7200))]
        clock.set(Desk.now + .seconds(3600))
        for _ in 0..<10 { _ = desk.send(flags: "&test", headers: HTTPHeaders(long), answers: 201) }
        clock.set(Desk.now)
        _ = desk.send(flags: "&test", headers: HTTPHeaders(long), answers: 201)
    }

    @Test func `a scheduled send waits until its time`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        desk.install("a")
        let answer = desk.schedule(at: "2026-01-01T00:00:00")
        #expect(answer.status == 201)
        let location = try #require(answer.headers["Location"])
        #expect(location.contains("/Breaking-News/schedulednotifications/"))
        #expect(desk.arrived.isEmpty)
        #expect(desk.hub.sends.first?.progress.state == .scheduled)
        clock.set(Timestamp(seconds: 1_767_225_599))
        #expect(desk.arrived.isEmpty)
        clock.set(Timestamp(seconds: 1_767_225_600))
        #expect(desk.arrived.count == 1)
        #expect(desk.hub.sends.first?.progress.state == .completed)
    }

    @Test func `a scheduled send can be cancelled once`() throws {
        let clock = SetClock()
        let desk = try Desk { $0.clock = clock.read }
        desk.install("a")
        let location = try #require(desk.schedule(at: "2026-01-01T00:00:00.000Z").headers["Location"])
        let id = try #require(location.split(separator: "?").first?.split(separator: "/").last)
        #expect(desk.device("DELETE", "schedulednotifications/\(id)").status == 200)
        #expect(desk.device("DELETE", "schedulednotifications/\(id)").status == 404)
        clock.set(Desk.now + .seconds(7200))
        #expect(desk.arrived.isEmpty)
        #expect(desk.hub.sends.first?.progress.state == .canceled)
    }

    @Test(
        arguments: [
            (nil, 400), ("tomorrow", 400), ("2026-01-08T00:00:01", 400), ("2026-01-01'T'00:00:00", 201),
            ("2020-01-01T00:00:00", 201), ("2026-01-07T23:00:00", 201),
        ] as [(String?, Int)]
    )
    func `a send can be scheduled within the next seven days`(time: String?, status: Int) throws {
        #expect(try Desk().schedule(at: time).status == status)
    }
}

extension Desk {
    fileprivate func schedule(at time: String?) -> HTTPResponse {
        post(
            "/Breaking-News/schedulednotifications?api-version=2020-06",
            headers: time.map { [.init("ServiceBusNotification-ScheduleTime", $0)] } ?? [],
            body: #"{"title":"later"}"#
        )
    }
}

extension HTTPResponse {
    /// The last part of `Location` without its query.
    fileprivate var notificationID: String? {
        headers["Location"]?.split(separator: "?").first?.split(separator: "/").last.map(String.init)
    }
}
