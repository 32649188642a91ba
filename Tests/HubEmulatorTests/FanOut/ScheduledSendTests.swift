import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("sends that wait for their time", .timeLimit(.minutes(1)))
struct ScheduledSendTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `scheduled sends start in the order of their times, also if some are cancelled`(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var scheduled = ScheduledSends()
        var expected: [(due: Int64, sequence: Int64)] = []
        for sequence in 1...500 as ClosedRange<Int64> {
            let due = Int64.random(in: 0..<100, using: &generator)
            scheduled.insert(Self.entry(sequence, due: due))
            expected.append((due, sequence))
            guard Int.random(in: 0..<3, using: &generator) > 0 else { continue }
            let index = expected.indices.randomElement(using: &generator) ?? 0
            let gone = expected[index].sequence
            #expect(!scheduled.remove(gone) { $0.id == "another" })
            #expect(scheduled.remove(gone) { $0.id == "id-\(gone)" })
            #expect(!scheduled.remove(gone) { _ in true })
            expected.remove(at: index)
        }
        expected.sort { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
        #expect(scheduled.count == expected.count)
        #expect(scheduled.nextDue?.seconds == expected.first?.due)
        var found: [Int64] = []
        for now in 0..<100 as Range<Int64> {
            while let entry = scheduled.popDue(now: Timestamp(seconds: now)) {
                #expect(entry.due.seconds == now)
                found.append(entry.fanOut.message.sequence)
            }
        }
        #expect(found == expected.map(\.sequence))
        #expect(scheduled.nextDue == nil)
    }

    @Test func `a queue handles hundreds of thousands of scheduled sends`() {
        var queue = FanOutQueue()
        for sequence in 1...200_000 as ClosedRange<Int64> {
            let entry = Self.entry(sequence, due: 200_000 - sequence)
            queue.schedule(entry.fanOut, id: entry.id, at: entry.due)
        }
        for sequence in stride(from: 1, through: 200_000, by: 2) {
            #expect(queue.cancel(sequence: Int64(sequence), id: "id-\(sequence)", hub: "news") == true)
        }
        let now = Timestamp(seconds: 200_000)
        #expect(queue.begin(now: now, limit: 3) == [200_000, 199_998, 199_996])
        #expect(queue.begin(now: now, limit: .max).count == 99_997)
        #expect(queue.nextDue == nil)
        #expect(queue.count == 100_000)
    }

    @Test func `a scheduled send can be cancelled after its record was evicted`() throws {
        let clock = SetClock()
        let desk = try Desk {
            $0.sendsKept = 3
            $0.clock = clock.read
        }
        desk.install("a")
        let id = try #require(desk.schedule())
        for _ in 0..<5 { desk.send(tags: "nobody") }
        #expect(!desk.hub.sends.contains { $0.notificationID == id })
        #expect(desk.device("DELETE", "schedulednotifications/\(id)").status == 200)
        clock.set(Desk.now + .seconds(7200))
        #expect(desk.arrived.isEmpty)
    }

    @Test func `a scheduled send is cancelled in its own hub only, and when that is deleted`() throws {
        let desk = try Desk()
        let all: HTTPHeaders = [.init("Authorization", desk.token(url: "http://127.0.0.1:8080/"))]
        func ask(_ method: String, _ path: String) -> HTTPResponse {
            desk.post("/\(path)?api-version=2017-04", method: method, headers: all, body: "", format: nil)
        }
        #expect(ask("PUT", "regional").status == 201)
        let id = try #require(desk.schedule())
        #expect(ask("DELETE", "regional/schedulednotifications/\(id)").status == 404)
        #expect(ask("DELETE", "BREAKING-news/schedulednotifications/\(id)").status == 200)
        let other = try #require(desk.schedule())
        #expect(ask("DELETE", "breaking-news").status == 200)
        #expect(desk.hub.sends.map(\.progress.state) == [.canceled, .canceled])
        #expect(ask("PUT", "breaking-news").status == 201)
        #expect(ask("DELETE", "breaking-news/schedulednotifications/\(other)").status == 404)
    }

    @Test(arguments: [
        "1", "nonsense", "NH-20260101000000000-0123456789abcdef0123456789abcdef-01", "%F0%9F%97%9E", "a.b",
    ])
    func `the cancellation of an unknown id is answered with 404`(id: String) throws {
        #expect(try Desk().device("DELETE", "schedulednotifications/\(id)").status == 404)
    }

    @Test func `scheduled sends are sent after a stop and a start`() async throws {
        let desk = try Desk()
        try desk.hub.start()
        let due = Desk.now + .seconds(3600)
        #expect(desk.schedule() != nil)
        #expect(desk.hub.runner.withLock { $0.alarm } == due)
        await desk.hub.stop()
        #expect(desk.hub.runner.withLock { $0.alarm } == nil)
        try desk.hub.start()
        #expect(desk.hub.runner.withLock { $0.alarm } == due)
        await desk.hub.stop()
    }

    private static func entry(_ sequence: Int64, due: Int64) -> ScheduledSends.Entry {
        let message = FanOut.Message(
            sequence: sequence,
            id: "id-\(sequence)",
            format: .template,
            expression: nil,
            headers: [],
            body: [],
            properties: []
        )
        let due = Timestamp(seconds: due)
        return ScheduledSends.Entry(
            due: due,
            id: "id-\(sequence)",
            fanOut: FanOut(message, hub: "news", enqueued: due)
        )
    }
}

extension Desk {
    /// Schedules a send in an hour.
    ///
    /// - Returns: Its id.
    fileprivate func schedule() -> String? {
        let answer = post(
            "/Breaking-News/schedulednotifications?api-version=2020-06",
            headers: [.init("ServiceBusNotification-ScheduleTime", (Desk.now + .seconds(3600)).rfc3339)],
            body: #"{"title":"later"}"#
        )
        return answer.headers["Location"]?.split(separator: "?").first?.split(separator: "/").last.map(String.init)
    }
}
