import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("the queue of fan-outs", .timeLimit(.minutes(1)))
struct FanOutQueueTests {
    @Test func `a device never receives a text rendered for another, also if devices change meanwhile`() throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        desk.install("a", body: #"{"aps":{"alert":"{'to a: ' + $(title)}"}}"#)
        for number in 0..<600 { desk.install("p-\(number)") }
        desk.install("b")
        desk.send()
        desk.advance()
        // Its slot is free now, and the other device gets it.
        desk.install("a", body: #"{"aps":{"alert":"{'anew: ' + $(title)}"}}"#)
        desk.install("b", body: #"{"aps":{"alert":"{'to b: ' + $(title)}"}}"#)
        let last = desk.hub.settledDeliveries.filter { $0.installationID == "b" && $0.template != nil }
        #expect(last.map(\.notification.text) == [#"{"aps":{"alert":"to b: Dam gives way"}}"#])
    }

    @Test func `a fan-out ends with the devices it has reached when all devices are removed`() throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        for number in 0..<600 { desk.install("p-\(number)", tags: ["old"]) }
        desk.send(tags: "old")
        desk.send(tags: "old")
        desk.advance()
        #expect(desk.inspect("DELETE", "devices").status == 204)
        for number in 0..<600 { desk.install("q-\(number)", tags: ["new"]) }
        let sends = desk.hub.sends
        #expect(sends.map(\.progress.state) == [.completed, .noTargetFound])
        #expect(sends.map(\.progress.targets) == [256, 0])
        #expect(desk.hub.settledDeliveries.count == 256)
    }

    @Test func `at most 64 fan-outs run at the same time, and they take turns`() throws {
        let desk = try Desk { $0.fansOutInBackground = false }
        for number in 0..<600 { desk.install("p-\(number)") }
        for _ in 0..<100 { desk.send() }
        for _ in 0..<64 { desk.advance() }
        #expect(desk.states == [.processing: 64, .enqueued: 36])
        for _ in 0..<64 { desk.advance() }
        #expect(desk.states[.processing, default: 0] <= 64)
        #expect(desk.states[.enqueued, default: 0] >= 35)
        desk.hub.settle()
        #expect(desk.states == [.completed: 100])
        #expect(desk.hub.sends.allSatisfy { $0.progress.targets == 600 })
    }

    @Test func `a fan-out that takes more than half an hour is abandoned`() throws {
        let clock = SetClock()
        let desk = try Desk {
            $0.fansOutInBackground = false
            $0.clock = clock.read
        }
        for number in 0..<600 { desk.install("p-\(number)") }
        for _ in 0..<70 { desk.send() }
        for _ in 0..<64 { desk.advance() }
        clock.set(Desk.now + .seconds(1799))
        desk.advance()
        #expect(desk.states == [.processing: 64, .enqueued: 6])
        clock.set(Desk.now + .seconds(1800))
        desk.hub.settle()
        #expect(desk.states == [.abandoned: 70])
        #expect(desk.hub.sends.first?.progress.ended == Desk.now + .seconds(1800))
        let id = try #require(desk.hub.sends.first?.notificationID)
        #expect(
            desk.device("GET", "messages/\(id)", headers: [.init("Authorization", desk.token(life: 9999))]).text
                .contains("<State>Abandoned</State>")
        )
        #expect(desk.inspect("GET", "stats").text.contains(#""fanningOut":0"#))
    }

    @Test func `a fan-out has the states of the telemetry`() {
        let states: [NotificationState] = [
            .abandoned, .canceled, .completed, .enqueued, .noTargetFound, .processing, .scheduled, .unknown,
        ]
        #expect(
            states.map(\.rawValue) == [
                "Abandoned", "Canceled", "Completed", "Enqueued", "NoTargetFound", "Processing", "Scheduled", "Unknown",
            ]
        )
        #expect(states.filter(\.isFinal) == [.abandoned, .canceled, .completed, .noTargetFound])
    }
}

extension Desk {
    /// Processes one portion, as the runner does.
    fileprivate func advance() {
        let now = hub.configuration.clock()
        hub.state.withLock { $0.hub.advance(limit: HubEmulator.portion, now: now) }
    }

    /// The number of sends in each state.
    fileprivate var states: [NotificationState: Int] {
        hub.sends.reduce(into: [:]) { $0[$1.progress.state, default: 0] += 1 }
    }
}
