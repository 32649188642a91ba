import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

/// Records that a worker writes into the ledger after it has lost their partition.
@Suite(.timeLimit(.minutes(2)))
struct LateRecordTests {
    /// A record of the first worker: subscribers of sports were notified of an event, too.
    private func write(lateRecordOf event: NewsEvent, in newsroom: Newsroom) async throws {
        let digits = String(event.act, radix: 16)
        let act = String(repeating: "0", count: 16 - digits.count) + digits
        let record = #"""
            {"v":2,"story":"\#(event.story)","revision":1,"event":"\#(event.id)","source":"\#(Desk.source)",
             "kind":"alert","digest":"00c0ffee00c0ffee","changed":"\#(event.published.rfc3339)","processed":{"through":0},
             "audiences":[{"hub":"main","format":"template","tags":"Sports","act":"\#(act)","kind":"alert","revision":1,
                           "at":"\#(event.published.rfc3339)"}]}
            """#
        let key = Array(event.story.utf8)
        try await newsroom.cluster.write([
            KafkaRecord(topic: newsroom.names.ledger, partition: 0, key: key, value: Array(record.utf8))
        ])
    }

    @Test(arguments: [false, true])
    func `a withdrawal goes on to subscribers whom a late record shows`(isFoundAtStart: Bool) async throws {
        try await Newsroom.open { newsroom in
            let alert = Desk.event("alert", story: "a")
            var kill = Desk.event("kill", story: "a", revision: 2, kind: .kill)
            kill.categories = []
            // The term of the next worker is a later one.
            try await newsroom.withWorker { _ in
                try await newsroom.publish([alert])
                _ = try await newsroom.finalOutcomes(1)
            }
            try await newsroom.withWorker { _ in
                try await newsroom.publish([kill])
                _ = try await newsroom.finalOutcomes(2)
                guard !isFoundAtStart else { return }
                try await write(lateRecordOf: alert, in: newsroom)
                _ = await newsroom.hub.waitForPushes(count: 3)
                _ = try await newsroom.finalOutcomes(3)
            }
            if isFoundAtStart {
                try await write(lateRecordOf: alert, in: newsroom)
                try await newsroom.withWorker { _ in
                    _ = await newsroom.hub.waitForPushes(count: 3)
                    _ = try await newsroom.finalOutcomes(3)
                }
            }
            #expect(newsroom.hub.pushes.compactMap { $0.property("id") } == ["alert", "kill", "kill"])
            #expect(newsroom.hub.pushes.last?.expression.map { "\($0)" } == "Sports")
            try await newsroom.readToTheEnd()
            #expect(newsroom.outcomes.last?.warnings == ["ledger.merged"])
        }
    }
}
