import NewsflashEvents
import NewsflashHubEmulator
import NewsflashWorker
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(4)))
struct AcceptanceTests {
    @Test
    func `events of all six categories reach their tags, have one outcome each, and are committed`() async throws {
        let categories = ["world", "politics", "business", "technology", "science", "sports"]
        try await Newsroom.open(partitions: 3) { newsroom in
            let events = categories.map { Desk.event("news-\($0)", category: $0) }
            try await newsroom.withWorker { worker in
                try await newsroom.publish(events)
                _ = try await newsroom.finalOutcomes(6)
                #expect(worker.unreadyReasons == [])
            }
            try await newsroom.readToTheEnd()
            let sends = newsroom.hub.pushes
            let tags = sends.compactMap(\.expression?.description)
            #expect(tags.sorted() == ["Business", "Politics", "Science", "Sports", "Technology", "World"])
            try newsroom.expectGuarantees(of: events)
            #expect(newsroom.outcomes.map(\.outcome) == Array(repeating: "sent", count: 6))
            #expect(
                newsroom.outcomes.flatMap(\.targets)
                    == Array(repeating: .init(status: "accepted", attempts: 1), count: 6)
            )
            #expect(newsroom.deadLetters.isEmpty)
            let progress = try await newsroom.progress()
            #expect(progress.committed == progress.ends)
            #expect(progress.ends.reduce(0, +) == 6)
        }
    }

    @Test
    func `a request contains every offered language, and a missing one falls back`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                try await newsroom.publish([Desk.event("the-flash", kind: .flash, headline: "Storm")])
                let send = try #require(await newsroom.hub.waitForPushes(count: 1).first)
                #expect(send.format == .template)
                #expect(send.property("headline_en") == "Breaking: Storm (the-flash)")
                #expect(send.property("headline_cs") == "Mimořádná zpráva: Most je otevřen (the-flash)")
                #expect(send.property("headline_fr") == "Breaking: Storm (the-flash)")
                #expect(send.property("kind") == "flash")
            }
        }
    }

    @Test
    func `a correction and a kill name the category under which their subscribers were notified`() async throws {
        try await Newsroom.open { newsroom in
            try await newsroom.withWorker { _ in
                var kill = Desk.event("third", story: "one", revision: 3, kind: .kill)
                kill.categories = []
                let correction = Desk.event("second", story: "one", revision: 2, kind: .correction, category: "sports")
                // One after another, because a newer one would replace a waiting one.
                for (index, event) in [Desk.event("first", story: "one"), correction, kill].enumerated() {
                    try await newsroom.publish([event])
                    _ = try await newsroom.finalOutcomes(index + 1)
                }
                let sends = newsroom.hub.pushes
                #expect(sends.count == 3)
                #expect(Set(sends.map { $0.property("category") }) == ["World"])
                #expect(sends.last?.property("kind") == "kill")
            }
        }
    }
}
