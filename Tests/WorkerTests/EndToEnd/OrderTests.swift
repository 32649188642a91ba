import NewsflashEvents
import NewsflashGuarantees
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashWorker
import Testing

@Suite(.timeLimit(.minutes(4)))
struct OrderTests {
    @Test
    func `a story's revisions never go back, with many stories at once and a failing hub`() async throws {
        try await Newsroom.open(partitions: 4) { newsroom in
            let waves = (1...30).map { revision in
                (1...8).map { story in
                    Desk.event(
                        "\(story)-\(revision)",
                        story: "story-\(story)",
                        revision: Int64(revision),
                        kind: .update
                    )
                }
            }
            let events = waves.flatMap(\.self)
            let latency = Duration.milliseconds(20)
            newsroom.hub.setFaults([Fault(latency: latency), Fault(status: 503, rate: 0.2)])
            try await newsroom.withWorker { _ in
                try await newsroom.publish(waves[0])
                _ = await newsroom.hub.waitForPushes(count: 1)
                for wave in waves.dropFirst() { try await newsroom.publish(wave) }
                _ = try await newsroom.finalOutcomes(events.count)
            }
            try await newsroom.readToTheEnd()
            let sends = newsroom.hub.pushes
            #expect(sends.count > 2 * 8, "several revisions of a story are sent")
            try newsroom.expectGuarantees(of: events) { $0.revision == 30 ? ["sent"] : ["sent", "superseded"] }
            let side = OneAtATimePerStory(try newsroom.evidence(of: events), latency: latency)
            #expect(side.isMet, "\(side)")
            #expect(Set(newsroom.outcomes.map(\.outcome)).isSubset(of: ["sent", "superseded"]))
            let last = newsroom.outcomes.filter { $0.revision == 30 }
            #expect(last.map(\.outcome) == Array(repeating: "sent", count: 8))
            #expect(sends.count == newsroom.outcomes.count { $0.outcome == "sent" })
        }
    }

    @Test
    func `a flash overtakes a backlog even if only one request is sent at a time`() async throws {
        try await Newsroom.open(["NEWSFLASH_DELIVERY_CONCURRENCY": "1"]) { newsroom in
            newsroom.hub.setFault(Fault(status: 503))
            // An embargo is reported when it is read, so its report shows that all earlier events were read, too.
            var last = Desk.event("embargoed")
            last.embargo = Timestamp.now() + .seconds(3600)
            try await newsroom.withWorker { _ in
                try await newsroom.publish(Desk.alerts(20) + [Desk.event("the-flash", kind: .flash), last])
                let topic = newsroom.names.outcomes
                try await newsroom.reader.log.wait { events in
                    events.messages.contains { $0.topic == topic } ? () : nil
                }
                #expect(newsroom.outcomes.map(\.event) == ["embargoed"])
                // From here on only a probe is sent, half a second later, and the back-off of the flash has ended.
                try await newsroom.waitForHold(.hubUnavailable)
                newsroom.hub.setFault(nil)
                let sends = await newsroom.hub.waitForPushes(count: 21)
                #expect(sends.first?.property("id") == "the-flash")
                _ = try await newsroom.finalOutcomes(21)
            }
        }
    }

    @Test
    func `a flash overtakes events that the worker has no room to read`() async throws {
        // Room for about two hundred events, and a hub that accepts about forty a second.
        let narrow = ["NEWSFLASH_DELIVERY_READ_AHEAD": "1MiB", "NEWSFLASH_DELIVERY_CONCURRENCY": "2"]
        try await Newsroom.open(partitions: 2, narrow) { newsroom in
            newsroom.hub.setFault(Fault(latency: .milliseconds(50)))
            let flashes = ["flash-before", "flash-after"].map { Desk.event($0, kind: .flash) }
            let news = Desk.alerts(600)
            try await newsroom.publish(news + [flashes[0]])
            try await newsroom.withWorker { _ in
                _ = await newsroom.hub.waitForPushes(count: 1)
                try await newsroom.publish([flashes[1]])
                let topic = newsroom.names.outcomes
                try await newsroom.reader.log.wait { events in
                    let ended = events.messages.outcomes(in: topic).map(\.event)
                    return flashes.allSatisfy { ended.contains($0.id) } ? () : nil
                }
                newsroom.hub.setFault(nil)
                _ = try await newsroom.finalOutcomes(602)
            }
            try await newsroom.readToTheEnd()
            let pushes = newsroom.hub.pushes.map { $0.property("id") }
            #expect(pushes.count == 602)
            for flash in flashes { #expect((pushes.firstIndex(of: flash.id) ?? 602) < 150, "\(flash.id)") }
            try newsroom.expectGuarantees(of: news + flashes)
            let (committed, ends) = try await newsroom.progress()
            #expect(committed == ends)
        }
    }
}
