import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NotificationHubs
import Testing

@testable import NewsflashHubEmulator

@Suite("looking through deliveries", .timeLimit(.minutes(1)))
struct DeliveryPageTests {
    @Test(arguments: [
        "deliveries?handle=none", "deliveries?registration=1-2-3", "deliveries?installation=x",
        "feedback/breaking-news",
    ])
    func `the hub does not wait for a search`(path: String) throws {
        let desk = try Desk()
        desk.fill(50_000)
        let inspection = desk.inspection(path)
        let facts = EmulatorFacts(
            hubName: "n",
            tier: .standard,
            consoleRule: .console(),
            url: nil,
            authority: nil,
            console: nil
        )
        let clock = ContinuousClock()
        var (held, whole) = (Duration.seconds(60), Duration.seconds(60))
        for _ in 0..<5 {
            var search: Inspection.Writing?
            held = min(
                held,
                clock.measure { search = desk.hub.state.withLock { inspection.inspect(&$0.hub, about: facts) } }
            )
            whole = min(whole, clock.measure { _ = search?() })
        }
        #expect(held * 10 < whole)
    }

    @Test func `a search covers the deliveries that existed when it began`() throws {
        let desk = try Desk { $0.deliveriesKept = 1500 }
        desk.fill(1400)
        let kept = desk.hub.state.withLock { $0.hub.deliveries.kept }
        desk.fill(1400)
        func sequences(_ kept: KeptDeliveries, after: Int64 = 0, limit: Int = .max) -> [Int64] {
            kept.deliveries(after: after, limit: limit) { _ in true }.map(\.sequence)
        }
        #expect(sequences(kept) == Array(1...1400))
        let now = desk.hub.state.withLock { $0.hub.deliveries.kept }
        #expect(sequences(now) == Array(1301...2800))
        #expect(sequences(now, after: 1400, limit: 3) == [1401, 1402, 1403])
        #expect(sequences(now, after: 2799) == [2800])
        #expect(now.count == 1500)
        desk.hub.reset()
        #expect(desk.hub.state.withLock { sequences($0.hub.deliveries.kept) } == [])
        desk.fill(2)
        #expect(desk.hub.state.withLock { sequences($0.hub.deliveries.kept) } == [2801, 2802])
    }
}

extension Desk {
    /// Adds deliveries to the hub's log.
    fileprivate func fill(_ count: Int) {
        let notification = PlatformNotification(headers: [], body: [], platform: .apns)
        hub.state.withLock { state in
            for number in 0..<count {
                state.hub.deliveries.append(
                    Delivery(
                        send: 1,
                        notificationID: "id",
                        hub: "breaking-news",
                        time: Desk.now,
                        registration: .assigned(UInt64(number), 1, 1),
                        installationID: "phone-\(number)",
                        platform: .apns,
                        handle: "AB",
                        outcome: .success,
                        notification: notification
                    )
                )
            }
        }
    }

    fileprivate func inspection(_ path: String) -> Inspection {
        let target = RequestTarget("/_emulator/" + path)
        let request = EmulatedRequest(method: "GET", target: "/_emulator/" + path, body: [])
        return Inspection(
            request: request,
            segments: target.segments.dropFirst().map(\.self),
            target: target,
            host: "127.0.0.1",
            now: Desk.now,
            journal: RequestJournal(streams: EventStreams(), observer: nil),
            outcomes: OutcomeLog(streams: EventStreams())
        )
    }
}
