import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The way of dead letters back to their source, with the program itself and real workers.
@Suite(.timeLimit(.minutes(3)))
struct RedriveTests {
    /// Writes the same number of records for each of five reasons; one of those without a category has a code that is
    /// never configured.
    private func publishFaults(_ newsroom: LetterNewsroom, each count: Int) async throws {
        func raw(_ kind: String, _ value: (Int) -> [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
            (1...count).map { (Array("\(kind)-\($0)".utf8), value($0)) }
        }
        var late = (1...count).map { newsroom.event("late-\($0)", category: "world") }
        for index in late.indices { late[index].expires = late[index].published - .seconds(60) }
        let storms = (1..<count).map { newsroom.event("storm-\($0)", category: "storms") }
        let poison = newsroom.event("poison", category: "nowhere")
        try await newsroom.publish(raw: raw("json") { _ in Array("{broken".utf8) })
        try await newsroom.publish(raw: raw("schema") { _ in Array(#"{"v":1}"#.utf8) })
        try await newsroom.publish(raw: raw("utf8") { _ in [0xFF, 0xFE] })
        try await newsroom.publish(late)
        try await newsroom.publish(storms + [poison])
    }

    @Test func `dead letters with a fixed cause are redriven, others stay, and poison is quarantined`()
        async throws
    {
        try await LetterNewsroom.open(partitions: 3) { newsroom in
            let broken = try newsroom.configurationFile("broken.yaml", categories: ["world"])
            let mended = try newsroom.configurationFile("mended.yaml", categories: ["world", "storms"])
            try await newsroom.withWorker(broken) {
                try await publishFaults(newsroom, each: 100)
                _ = try await newsroom.wait(for: 500, in: newsroom.deadLetters)
            }
            let list = try await newsroom.run(["dead-letters", "list", "--config", mended])
            #expect(list.code == 0)
            #expect(list.lines.first == "500 dead letters in \(newsroom.deadLetters): 500 open", "\(list.lines)")
            for reason in ["json", "schema", "utf8", "times", "unmapped"] {
                #expect(
                    list.lines.contains { $0.hasPrefix("invalid.\(reason), found at") && $0.hasSuffix(": 100 open") }
                )
            }
            let redrive = ["dead-letters", "redrive", "--config", mended, "--outcome", "invalid.unmapped"]
            let fast = redrive + ["--rate", "1000", "--yes"]

            let plan = try await newsroom.run(redrive)
            #expect(plan.code == 1)
            #expect(plan.lines.contains { $0.hasSuffix("would become: 99 sent") }, "\(plan.lines)")
            let omission = "left out: 1 would fail again with this configuration (1 invalid.unmapped); "
            #expect(plan.lines.contains { $0.hasPrefix(omission) }, "\(plan.lines)")
            let whole = try await newsroom.run(redrive + ["--failing"])
            let outlook = "would become: 99 sent, 1 invalid.unmapped"
            #expect(whole.lines.contains { $0.hasSuffix(outlook) }, "\(whole.lines)")
            #expect(plan.lines.last == "Error: nothing was changed: add --yes to do it")
            #expect(try await newsroom.copies().isEmpty)

            try await newsroom.withWorker(mended) {
                let first = try await newsroom.run(fast)
                #expect(first.code == 0, "\(first.lines)")
                let heading = "of 99 redriven: 99 sent to subscribers, 0 failed again"
                #expect(first.lines.contains(heading), "\(first.lines)")
                #expect(newsroom.pushed.count == 99)
                #expect(Set(newsroom.pushed).count == 99)
                // Only the poison is left. It keeps its attempts until somebody asks for it.
                let idle = try await newsroom.run(fast)
                #expect(idle.code == 0, "\(idle.lines)")
                #expect(idle.lines.first == "nothing to send again")
                #expect(idle.lines.contains { $0.hasPrefix(omission) }, "\(idle.lines)")
                #expect(try await newsroom.copies().count == 99)
                // Each failure brings it nearer to its quarantine.
                let poison = fast + ["--failing"]
                let second = try await newsroom.run(poison)
                #expect(second.code == 1, "\(second.lines)")
                #expect(second.lines.contains { $0.contains("event poison") && $0.hasSuffix("redrive 1 of 3") })
                let oneMore = "of 1 redriven: 0 sent to subscribers, 1 failed again"
                #expect(second.lines.contains(oneMore), "\(second.lines)")
                #expect(try await newsroom.run(poison).lines.contains(oneMore))
                let third = try await newsroom.run(poison)
                #expect(third.lines.contains { $0.hasSuffix("quarantined after 3 redrives") }, "\(third.lines)")
                let fourth = try await newsroom.run(poison)
                #expect(fourth.code == 0)
                #expect(fourth.lines.first == "nothing to send again")
                #expect(fourth.lines.contains { $0.hasPrefix("left out: 1 quarantined") })
                let forced = try await newsroom.run(poison + ["--quarantined"])
                #expect(forced.code == 1, "\(forced.lines)")
            }
            #expect(newsroom.pushed.count == 99)
            let rest = try await newsroom.run(["dead-letters", "list", "--config", mended])
            #expect(rest.lines.first?.hasSuffix("400 open, 1 quarantined, 103 redriven") == true, "\(rest.lines)")
        }
    }

    @Test func `a redrive that was killed and run again writes nothing twice`() async throws {
        try await LetterNewsroom.open { newsroom in
            let broken = try newsroom.configurationFile("broken.yaml", categories: ["world"])
            let mended = try newsroom.configurationFile("mended.yaml", categories: ["world", "storms"])
            let events = (1...120).map { newsroom.event("storm-\($0)", category: "storms") }
            try await newsroom.withWorker(broken) {
                try await newsroom.publish(events)
                _ = try await newsroom.wait(for: 120, in: newsroom.deadLetters)
            }
            let words = ["dead-letters", "redrive", "--config", mended, "--yes"]
            let killed = try await newsroom.start(words + ["--rate", "8", "--wait", "0s"])
            _ = try await newsroom.wait(for: 120 + 20, in: newsroom.source)
            killed.signal(SIGKILL)
            #expect(try await killed.waitForEnd() == 128 + SIGKILL)
            let before = try await newsroom.copies()
            #expect((20..<120).contains(before.count))
            #expect(Set(before).count == before.count)

            try await newsroom.withWorker(mended) {
                let again = try await newsroom.run(words + ["--rate", "1000"])
                #expect(again.code == 0, "\(again.lines)")
                let rest = 120 - before.count
                #expect(again.lines.contains { $0.hasPrefix("\(rest) dead letters to send again") }, "\(again.lines)")
                #expect(
                    again.lines.contains("done before: \(before.count) with copies in their source topics")
                )
                let copies = try await newsroom.copies()
                #expect(copies.count == 120)
                #expect(Set(copies).count == 120)
                _ = await newsroom.hub.waitForPushes(count: 120)
                #expect(Set(newsroom.pushed) == Set(events.map(\.id)))
            }
            #expect(newsroom.pushed.count == 120)
        }
    }

    @Test func `a copy that its source topic has deleted is recognized by its dead letter`() async throws {
        try await LetterNewsroom.open { newsroom in
            let settings = try newsroom.settings(newsroom.configurationFile("newsflash.yaml", categories: ["world"]))
            let name = RedriveJournal(settings).name(of: DeadLetterPosition(partition: 0, offset: 0))
            let at = Timestamp.now().rfc3339
            func letter(_ offset: Int, redrives: Int, _ more: [KafkaHeader] = []) -> KafkaRecord {
                let headers = [
                    ("v", "1"), ("reason", "invalid.unmapped"), ("stage", "map"), ("topic", newsroom.source),
                    ("partition", "0"), ("offset", "\(offset)"), ("at", at), ("redrives", "\(redrives)"),
                ]
                return KafkaRecord(
                    topic: newsroom.deadLetters,
                    value: [1],
                    headers: more + headers.map { KafkaHeader(name: "newsflash-dlq-\($0)", text: $1) }
                )
            }
            // The source is empty because retention has deleted its records.
            try await newsroom.cluster.write([
                letter(0, redrives: 0), letter(1, redrives: 1, [KafkaHeader(name: RedriveHeader.letter, text: name)]),
                KafkaRecord(topic: newsroom.deadLetters, value: [1]),
            ])
            let reading = try await DeadLetterReader(settings: settings, mostRedrives: 3).read(
                DeadLetterCriteria(),
                (nil, nil)
            )
            #expect(reading.letters.map(\.state.word) == ["redriven", "open"])
            #expect(reading.letters.map(\.letter.redrives) == [0, 1])
            #expect(reading.strange == 1)
            let strict = try await DeadLetterReader(settings: settings, mostRedrives: 1).read(
                DeadLetterCriteria(),
                (nil, nil)
            )
            #expect(strict.letters.map(\.state.word) == ["redriven", "quarantined"])
        }
    }

    @Test func `an event that another record has sent meanwhile is not sent again`() async throws {
        try await LetterNewsroom.open { newsroom in
            let broken = try newsroom.configurationFile("broken.yaml", categories: ["world"])
            let storm = newsroom.event("storm", category: "storms")
            try await newsroom.withWorker(broken) {
                try await newsroom.publish([storm])
                _ = try await newsroom.wait(for: 1, in: newsroom.deadLetters)
                // The desk has fixed it itself.
                var mended = storm
                mended.categories = ["world"]
                try await newsroom.publish([mended])
                _ = try await newsroom.wait(for: 2, in: newsroom.outcomes)
            }
            #expect(newsroom.pushed == ["storm"])
            let redrive = try await newsroom.run(["dead-letters", "redrive", "--config", broken, "--yes"])
            #expect(redrive.code == 0)
            #expect(
                redrive.lines == ["nothing to send again", "done otherwise: 1 whose events were sent since"]
            )
            #expect(try await newsroom.copies().isEmpty)
        }
    }

    @Test func `a dead letter is shown in full with the result that it would have now`() async throws {
        try await LetterNewsroom.open { newsroom in
            let broken = try newsroom.configurationFile("broken.yaml", categories: ["world"])
            let mended = try newsroom.configurationFile("mended.yaml", categories: ["world", "storms"])
            try await newsroom.withWorker(broken) {
                try await newsroom.publish([
                    newsroom.event("storm", category: "storms", headline: "Roofs\u{1B}[2J gone")
                ])
                _ = try await newsroom.wait(for: 1, in: newsroom.deadLetters)
            }
            let sheet = try await newsroom.run(["dead-letters", "show", "0@0", "--config", mended])
            #expect(sheet.code == 0)
            #expect(sheet.lines.first == "dead letter 0@0 of \(newsroom.deadLetters), open")
            #expect(sheet.lines.contains("  newsflash-dlq-reason: invalid.unmapped"))
            #expect(sheet.lines.contains("  content-type: application/json"))
            #expect(sheet.lines.contains("  story-of-storm"))
            #expect(sheet.lines.contains { $0.contains("Roofs") })
            #expect(!sheet.lines.joined().contains("\u{1B}"), "nothing steers the terminal")
            #expect(sheet.lines.contains("  it would be sent, with 1 request:"), "\(sheet.lines)")
            let document = try await newsroom.run(["dead-letters", "show", "0@0", "--json", "--config", mended])
            let json = try JSONReader.read(document.lines.joined())
            #expect(json[member: "letter"]?.string == "0@0" && json[member: "state"]?.string == "open")
            #expect(json[member: "key"]?.string == "story-of-storm")
            #expect(json[member: "body"]?.string?.contains("Roofs") == true)
            #expect(json[member: "headers"]?.array?.contains { $0[member: "name"]?.string == "content-type" } == true)
            #expect(json[member: "now"]?[member: "result"]?.string == "sent")
            let byEvent = try await newsroom.run(["dead-letters", "show", "--event", "storm", "--config", broken])
            #expect(
                byEvent.lines.contains { $0.contains("it would not be sent: invalid.unmapped") },
                "\(byEvent.lines)"
            )
            let missing = try await newsroom.run(["dead-letters", "show", "0@7", "--config", mended])
            #expect(missing.code == 1)
        }
    }
}
