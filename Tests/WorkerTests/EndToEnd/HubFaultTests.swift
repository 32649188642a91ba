import NewsflashEvents
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// A hub that is unavailable, refuses the worker, refuses one payload or cuts connections.
@Suite(.timeLimit(.minutes(4)))
struct HubFaultTests {
    @Test
    func `all events are kept while the hub answers 503, and sent when it is back`() async throws {
        try await Newsroom.open(partitions: 2) { newsroom in
            let events = Desk.alerts(30)
            newsroom.hub.setFault(Fault(status: 503))
            try await newsroom.withWorker { worker in
                try await newsroom.publish(events)
                try await newsroom.waitForHold(.hubUnavailable)
                #expect(worker.unreadyReasons.contains { $0.hasPrefix("held.hub_unavailable") })
                #expect(newsroom.hub.pushes.isEmpty)
                newsroom.hub.setFault(nil)
                #expect(await newsroom.hub.waitForPushes(count: 30).count == 30)
                _ = try await newsroom.finalOutcomes(30)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.count == 30)
            #expect(newsroom.outcomes.map(\.outcome) == Array(repeating: "sent", count: 30))
            try newsroom.expectGuarantees(of: events)
            #expect(newsroom.deadLetters.isEmpty)
        }
    }

    @Test
    func `a wrong key keeps the circuit open until its file is corrected, without a restart`() async throws {
        try await Newsroom.open { newsroom in
            let right = try #require(newsroom.hub.connectionStrings.first)
            let listenOnly = try #require(newsroom.hub.connectionStrings.last)
            let wrong = right.replacing("SharedAccessKey=", with: "SharedAccessKey=wrong")
            try newsroom.keyFile.write(wrong)
            let events = Desk.alerts(5)
            try await newsroom.withWorker { worker in
                try await newsroom.publish(events)
                try await newsroom.waitForHold(.unauthorized)
                let reason = try #require(worker.unreadyReasons.first)
                #expect(reason.hasPrefix("held.unauthorized"))
                #expect(reason.contains("connection string"))
                // A valid key whose policy may not send is another fault, and is shown as such.
                try newsroom.keyFile.write(listenOnly)
                try await newsroom.waitForHold(.forbidden)
                #expect(worker.unreadyReasons.contains { $0.hasPrefix("held.forbidden") })
                try newsroom.keyFile.write(right)
                _ = try await newsroom.finalOutcomes(5)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.map(\.outcome) == Array(repeating: "sent", count: 5))
            #expect(newsroom.hub.pushes.count == 5)
            #expect(newsroom.deadLetters.isEmpty)
        }
    }

    @Test
    func `a payload that the hub refuses is the only dead letter among valid ones`() async throws {
        try await Newsroom.open { newsroom in
            var events = Desk.alerts(20)
            let bad = Desk.event("refused", headline: "XYZZY")
            events.insert(bad, at: 7)
            newsroom.hub.setFault(Fault(status: 400, containing: "XYZZY"))
            try await newsroom.withWorker { worker in
                try await newsroom.publish(events)
                _ = try await newsroom.finalOutcomes(21)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.count == 20)
            let letter = try #require(newsroom.deadLetters.first)
            #expect(newsroom.deadLetters.count == 1)
            #expect(letter.value == EventEncoder.encode(bad))
            let headers = letter.headers.map { "\($0.name)=\(String(decoding: $0.value ?? [], as: UTF8.self))" }
            #expect(headers.contains("newsflash-dlq-event=refused"))
            #expect(headers.contains("newsflash-dlq-stage=send"))
            #expect(headers.contains("newsflash-dlq-http=400"))
            let failed = newsroom.outcomes.filter { $0.outcome != "sent" }
            #expect(failed.map(\.event) == ["refused"])
            #expect(failed.map(\.outcome) == ["failed"])
            try newsroom.expectGuarantees(of: events) { $0.id == "refused" ? ["failed"] : ["sent"] }
        }
    }

    @Test
    func `a request is repeated if the hub accepts it and then cuts the connection`() async throws {
        try await Newsroom.open { newsroom in
            let events = Desk.alerts(10)
            newsroom.hub.setFault(Fault(isCut: true, isAccepted: true, remaining: 3))
            try await newsroom.withWorker { _ in
                try await newsroom.publish(events)
                _ = try await newsroom.finalOutcomes(10)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.map(\.outcome) == Array(repeating: "sent", count: 10))
            #expect(newsroom.outcomes.flatMap(\.targets).map(\.attempts).reduce(0, +) == 13)
            #expect(newsroom.hub.pushes.count == 13)
            try newsroom.expectGuarantees(of: events, fault: .cutAfter)
        }
    }

    @Test
    func `a worker keeps to the 40 requests a second that a hub allows, and a flash goes first`()
        async throws
    {
        try await Newsroom.open { newsroom in
            let alerts = Desk.alerts(160)
            let flash = Desk.event("flash", kind: .flash)
            var limit = Fault(status: 429, retryAfter: .seconds(1))
            limit.throttle = 40
            newsroom.hub.setFault(limit)
            var before = 0
            try await newsroom.withWorker { _ in
                try await newsroom.publish(alerts)
                _ = await newsroom.hub.waitForPushes(count: 40)
                try await newsroom.publish([flash])
                before = newsroom.hub.pushes.count
                _ = try await newsroom.finalOutcomes(161)
            }
            try await newsroom.readToTheEnd()
            #expect(newsroom.hub.pushes.count == 161)
            #expect(newsroom.outcomes.map(\.outcome) == Array(repeating: "sent", count: 161))
            // Without a learned rate, each of three seconds would begin with all requests that are left, 240 too many.
            let refused = newsroom.outcomes.flatMap(\.targets).map { $0.attempts - 1 }.reduce(0, +)
            #expect((1...160).contains(refused), "\(refused) requests above the rate")
            let order = newsroom.hub.pushes.compactMap { $0.property("id") }
            let place = try #require(order.firstIndex(of: "flash"))
            // Alerts of one second at most.
            #expect(place < before + 40, "\(place) alerts before the flash, \(before) of them before it was written")
            try newsroom.expectGuarantees(of: alerts + [flash], fault: .throttled)
        }
    }

    @Test
    func `an event without any answer expires, and its outcome says that it may have been sent`()
        async throws
    {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                // The first event ends before the test's events, so none expires while the group is forming.
                try await newsroom.publish(Desk.alerts(1))
                _ = try await newsroom.finalOutcomes(1)
                newsroom.hub.setFault(Fault(isCut: true, isAccepted: true))
                var event = Desk.event("uncertain")
                event.expires = event.published + .milliseconds(1500)
                try await newsroom.publish([event])
                let outcome = try #require(try await newsroom.finalOutcomes(2).last)
                #expect(outcome.outcome == "expired")
                #expect(outcome.reason == "expired.explicit")
                #expect(outcome.targets.map(\.status) == ["unknown"])
            }
            #expect(newsroom.deadLetters.isEmpty)
        }
    }
}
