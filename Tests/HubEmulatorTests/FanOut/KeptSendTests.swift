import NewsflashHTTPTransport
import NewsflashHubEmulator
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("scheduled sends over restarts", .timeLimit(.minutes(1)))
struct KeptSendTests {
    private let folder: TemporaryFolder
    private let clock = SetClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func desk() throws -> Desk {
        let desk = try Desk { $0.clock = clock.read }
        try desk.hub.keepDevices(in: folder.path)
        return desk
    }

    /// Schedules a message, and returns its id.
    private func schedule(_ title: String, after minutes: Int64, tags: String? = nil, _ desk: Desk) throws -> String {
        let time = (Desk.now + .seconds(60 * minutes)).rfc3339
        var headers: HTTPHeaders = [.init("ServiceBusNotification-ScheduleTime", time)]
        if let tags { headers.append("ServiceBusNotification-Tags", tags) }
        let body = #"{"title":"\#(title)"}"#
        let answer = desk.post(
            "/Breaking-News/schedulednotifications?api-version=2020-06",
            headers: headers,
            body: body
        )
        must(answer, answer: 201)
        return try #require(desk.hub.sends.last?.notificationID)
    }

    private func cancel(_ id: String, _ desk: Desk) -> Int {
        let token: HTTPHeaders = [.init("Authorization", desk.token(life: 100_000))]
        return desk.device("DELETE", "schedulednotifications/\(id)", headers: token).status
    }

    @Test func `scheduled sends of an earlier run are sent when they are due, and once`() async throws {
        var desk = try desk()
        desk.install("a", tags: ["world"])
        desk.install("b", tags: ["sports"])
        _ = try schedule("first", after: 1, tags: "world", desk)
        let second = try schedule("second", after: 5, desk)
        let cancelled = try schedule("cancelled", after: 2, desk)
        let cancelledLater = try schedule("cancelled later", after: 6, desk)
        #expect(cancel(cancelled, desk) == 200)
        await desk.hub.stop()

        // The first was due while the hub was away.
        clock.set(Desk.now + .seconds(120))
        desk = try self.desk()
        #expect(desk.hub.sends.map(\.progress.state) == [.scheduled, .scheduled, .scheduled])
        #expect(desk.arrived == [#"a: {"aps":{"alert":"first"}}"#])
        #expect(cancel(cancelled, desk) == 404)
        #expect(cancel(cancelledLater, desk) == 200)
        let token: HTTPHeaders = [.init("Authorization", desk.token(life: 100_000))]
        #expect(desk.device("GET", "messages/\(second)", headers: token).text.contains("<State>Scheduled</State>"))
        await desk.hub.stop()

        clock.set(Desk.now + .seconds(600))
        desk = try self.desk()
        #expect(desk.arrived == ["a", "b"].map { #"\#($0): {"aps":{"alert":"second"}}"# })
        #expect(desk.hub.sends.map(\.notificationID) == [second])
        // A new send does not get the number of one of an earlier run.
        desk.send(headers: token)
        #expect(desk.hub.sends.count == 2)
        await desk.hub.stop()

        desk = try self.desk()
        #expect(desk.hub.sends.isEmpty)
        await desk.hub.stop()
    }

    @Test func `the scheduled sends of a hub that was deleted are gone`() async throws {
        var desk = try desk()
        _ = try schedule("never", after: 1, desk)
        let delete = desk.post("/Breaking-News?api-version=2017-04", method: "DELETE", body: "", format: nil)
        must(delete, answer: 200)
        await desk.hub.stop()
        clock.set(Desk.now + .seconds(120))
        desk = try self.desk()
        #expect(desk.hub.sends.isEmpty)
        await desk.hub.stop()
    }
}
