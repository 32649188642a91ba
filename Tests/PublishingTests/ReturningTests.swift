import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps
import NotificationHubs
import Testing

/// A partition that is revoked with work in progress and returns to the same worker, which reads its offsets again.
@Suite(.timeLimit(.minutes(1)))
struct ReturningTests {
    @Test(arguments: [HubReply.accepted, .refused, .unavailable])
    func `a late answer of an earlier assignment does not end an event read again at its offset`(
        late: HubReply
    ) throws {
        var harness = CoreHarness()
        harness.receive(.sample("a"))
        let early = try #require(harness.sends.first)
        giveBack(&harness)
        harness.own()
        harness.read(0)
        #expect(harness.sending == ["a"])
        #expect(harness.sends.first?.id != early.id)
        harness.core.requestsEnded([SendResult(id: early.id, reply: late)], now: harness.now)
        harness.perform()
        harness.confirmAll()
        #expect(harness.ended.isEmpty)
        #expect(harness.committed == nil)
        let status = harness.core.status(now: harness.now)
        #expect(status.inFlight == 1)
        #expect(status.partitions.map(\.open) == [1])
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.verdicts == ["a: sent"])
        #expect(harness.committed == 1)
        #expect(harness.core.status(now: harness.now).inFlight == 0)
    }

    @Test func `a late confirmation of an earlier assignment's outcome does not end an event read again`() throws {
        var harness = CoreHarness()
        harness.receiveContents([.rejected(EventRejection(.json, "offset 3: a value was expected"))])
        harness.rememberAll()
        let early = try #require(harness.writes.first?.outcome)
        giveBack(&harness)
        harness.own()
        harness.read(0)
        harness.rememberAll()
        #expect(harness.writes.count == 1, "the dead letter of a lost partition is written again")
        harness.core.outcomesWritten([WriteResult(id: early.id, failure: nil)], now: harness.now)
        harness.perform()
        #expect(harness.committed == nil)
        harness.confirmAll()
        #expect(harness.committed == 1)
    }

    @Test func `draining waits for a pending dead letter, which is written once`() {
        var harness = CoreHarness()
        harness.receiveContents([.rejected(EventRejection(.json, "offset 3: a value was expected"))])
        harness.rememberAll()
        let leaving = [harness.id]
        harness.core.beginDraining(leaving, waitingUntil: harness.now.instant + .seconds(3), now: harness.now)
        harness.perform()
        harness.rememberAll()
        #expect(!harness.isDrained(leaving))
        harness.confirmAll()
        #expect(harness.isDrained(leaving))
        #expect(harness.core.leave(leaving, now: harness.now) == [CoreHarness.partition: 1])
        harness.own()
        harness.confirmAll()
        #expect(harness.deadLetters.count == 1)
    }

    @Test func `a commit counts when it is confirmed, and a refused one is repeated`() {
        var harness = CoreHarness()
        harness.answersCommits = false
        harness.receive(.sample("a"))
        harness.answer(.accepted)
        harness.confirmAll()
        #expect(harness.commits == [[CoreHarness.partition: 1]])
        harness.pass(.seconds(5))
        #expect(harness.commits.count == 1, "the next commit waits for its answer")
        harness.core.commitEnded([CoreHarness.partition], succeeded: false, now: harness.now)
        harness.pass(.seconds(1))
        #expect(harness.commits == [[CoreHarness.partition: 1], [CoreHarness.partition: 1]])
        harness.core.commitEnded([CoreHarness.partition], succeeded: true, now: harness.now)
        harness.pass(.seconds(5))
        #expect(harness.commits.count == 2)
    }

    @Test(arguments: [false, true])
    func `a request without an answer may have been accepted, whatever the next attempt returns`(hasCrashed: Bool) {
        var harness = CoreHarness()
        harness.receive(.sample("a1", story: "a", categories: ["politics"]))
        harness.answer(.unknown)
        harness.pass(.seconds(1))
        #expect(harness.sending == ["a1"])
        harness.answer(.refused)
        harness.confirmAll()
        #expect(harness.ended.first?.targets.map(\.report.status) == [.unknown])
        if hasCrashed { harness.crash() }
        harness.receive(.sample("a2", story: "a", revision: 2, kind: .kill, categories: []))
        #expect(harness.sends.map(\.expression.description) == ["politics"])
    }

    @Test func `a returned partition keeps the attempts without an answer, and no refused attempts`() {
        var lost = CoreHarness()
        lost.receive(.sample("flash", kind: .flash))
        #expect(fail(&lost, .unknown, times: 3) == 3)
        comeBack(&lost)
        #expect(fail(&lost, .unknown) == AttemptLimits().unknown - 3)
        #expect(lost.verdicts.filter { $0.hasPrefix("flash") } == ["flash: failed.unknown"])

        var refused = CoreHarness()
        refused.receive(.sample("flash", kind: .flash))
        #expect(fail(&refused, .unavailable, times: 6) == 6)
        comeBack(&refused)
        #expect(fail(&refused, .unavailable) == AttemptLimits().ownFaults + 1)
        #expect(refused.verdicts.filter { $0.hasPrefix("flash") } == ["flash: failed.unavailable"])
    }

    @Test func `a redriven event gets its attempts again`() {
        var harness = CoreHarness()
        harness.receive(.sample("flash", kind: .flash))
        #expect(fail(&harness, .unknown) == AttemptLimits().unknown)
        harness.confirmAll()
        harness.pass(.seconds(60))
        var again = NewsEvent.sample("flash", kind: .flash)
        again.replay = ReplayMark(id: "r-1", partition: 0, offset: 0, isAgain: true, at: harness.now.wall)
        harness.receive(again)
        // The earlier attempts together count as one.
        #expect(fail(&harness, .unknown, ends: 2) == AttemptLimits().unknown - 1)
    }

    @Test func `an event that is published again after its end has attempts of its own`() {
        var harness = CoreHarness()
        harness.receive(.sample("flash", kind: .flash))
        #expect(fail(&harness, .unknown) == AttemptLimits().unknown)
        harness.confirmAll()
        harness.receive(.sample("flash", kind: .flash))
        // The earlier attempts together count as one.
        #expect(fail(&harness, .unknown, ends: 2) == AttemptLimits().unknown - 1)
    }

    @Test func `an audience that had all its attempts gets no other one when the event is read again`() {
        var configuration = PublishingConfiguration(commitInterval: .zero)
        configuration.hubs = [HubRole("north"), HubRole("south")]
        var harness = CoreHarness(configuration, planner: EveryHubPlanner())
        harness.receive(.sample("flash", kind: .flash))
        var attempts = 0
        for _ in 0..<60 where attempts < AttemptLimits().unknown {
            if harness.sends.contains(where: { $0.hub == 0 }) {
                harness.answer(.unknown, at: 0)
                attempts += 1
            }
            harness.answerAllProbes(.accepted)
            harness.pass(.seconds(1))
        }
        #expect(attempts == AttemptLimits().unknown)
        comeBack(&harness)
        harness.pass(.seconds(60))
        #expect(harness.sends.map(\.hub) == [1])
        harness.answer(.accepted, at: 1)
        #expect(harness.verdicts == ["flash: partial.unknown"])
    }

    /// Fails the flash until it ends, or has ended for the second time, while other news is accepted.
    ///
    /// - Returns: The number of attempts, at most `times`.
    private func fail(_ harness: inout CoreHarness, _ reply: HubReply, times: Int = .max, ends: Int = 1) -> Int {
        var attempts = 0
        for _ in 0..<600 where attempts < times && harness.verdicts.count(where: { $0.hasPrefix("flash") }) < ends {
            harness.receive(.sample("news-\(harness.source.count)"))
            harness.answerAllProbes(.accepted)
            for event in harness.sending {
                if event == "flash" { attempts += 1 }
                let order = harness.sends.removeFirst()
                let result = SendResult(id: order.id, reply: event == "flash" ? reply : .accepted)
                harness.core.requestsEnded([result], now: harness.now)
                if attempts == times { break }
            }
            harness.perform()
            harness.confirmAll()
            harness.pass(.seconds(1))
        }
        return attempts
    }

    /// Writes the facts to the ledger and revokes the partition.
    private func giveBack(_ harness: inout CoreHarness) {
        _ = harness.core.leave([harness.id], now: harness.now)
        harness.perform()
        harness.rememberAll()
        harness.sends = []
        harness.writes = []
    }

    /// Drains and revokes the partition, assigns it again, and reads it from its committed offset.
    private func comeBack(_ harness: inout CoreHarness) {
        harness.sends = []
        harness.handOver()
        harness.sends = []
        let start = harness.committed ?? 0
        for offset in harness.source.keys.sorted() where offset >= start { harness.read(offset) }
    }
}
