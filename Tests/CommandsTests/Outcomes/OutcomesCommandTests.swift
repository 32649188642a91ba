import FoundationEssentials
import NewsflashEvents
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The command as the program runs it, on the records of a worker.
@Suite(.timeLimit(.minutes(4)))
struct OutcomesCommandTests {
    @Test func `the journey of an event and of a story is found with the facts from the ledger`() async throws {
        try await LetterNewsroom.open(partitions: 2) { newsroom in
            let file = try newsroom.configurationFile("newsflash.yaml", categories: ["world"])
            var waiting = newsroom.event("waiting", category: "world")
            waiting.embargo = waiting.published + .seconds(3600)
            let events = [
                newsroom.event("told", category: "world"), newsroom.event("lost", category: "storms"), waiting,
            ]
            try await newsroom.withWorker(file) {
                try await newsroom.publish(events)
                _ = try await newsroom.wait(for: 3, in: newsroom.outcomes)
            }
            let told = try await newsroom.run(["outcomes", "--event", "told", "--config", file])
            #expect(told.code == 0)
            #expect(told.lines.contains { $0.hasSuffix("SENT: 1 of 1 request accepted") }, "\(told.lines)")
            #expect(told.lines.contains { $0.hasPrefix("ledger record of story-of-told, at ") })
            #expect(
                told.lines.contains { $0.hasPrefix("  accepted: main, template, World, alert of revision 1, ") },
                "\(told.lines)"
            )

            #expect(!told.lines.contains { $0.contains("not confirmed") })

            let lost = try await newsroom.run(["outcomes", "--story", "story-of-lost", "--config", file])
            #expect(lost.lines.contains { $0.hasSuffix("(invalid.unmapped)") }, "\(lost.lines)")
            #expect(lost.lines.contains("  no subscriber was notified"))

            let held = try await newsroom.run(["outcomes", "--event", "waiting", "--config", file])
            #expect(
                held.lines.contains { $0.hasSuffix("waits: its embargo is not over (held.embargo)") },
                "\(held.lines)"
            )
            #expect(held.lines.contains { $0.hasPrefix("  waits: offset 1, for the end of its embargo, until 20") })

            let json = try await newsroom.run(["outcomes", "--event", "told", "--json", "--config", file])
            let types = try json.lines.map { try JSONReader.read($0)[member: "type"]?.string }
            #expect(types == ["outcome", "ledger"])
            #expect(!(told.lines + held.lines + json.lines).joined().contains("bridge"), "no word of news is shown")

            let nothing = try await newsroom.run(["outcomes", "--event", "never", "--config", file])
            #expect(nothing.code == 1)
            #expect(nothing.lines.first?.contains("nothing about event never since ") == true, "\(nothing.lines)")
        }
    }

    @Test func `outcomes are shown before the error about a ledger that cannot be read`() async throws {
        try await LetterNewsroom.open { newsroom in
            let file = try newsroom.configurationFile("newsflash.yaml", categories: ["world"])
            try await newsroom.withWorker(file) {
                try await newsroom.publish([newsroom.event("told", category: "world")])
                _ = try await newsroom.wait(for: 1, in: newsroom.outcomes)
            }
            let text = try String(contentsOfFile: file, encoding: .utf8).replacing("ledger: ", with: "ledger: missing-")
            let other = try newsroom.folder.write(text, to: "other.yaml")
            let told = try await newsroom.run(["outcomes", "--event", "told", "--config", other])
            #expect(told.code == 69)
            #expect(told.lines.contains { $0.hasSuffix("SENT: 1 of 1 request accepted") }, "\(told.lines)")
            #expect(told.lines.contains { $0.hasPrefix("Error: ") && $0.contains(" missing-") }, "\(told.lines)")
        }
    }

    @Test func `later outcomes are shown as they come`() async throws {
        try await LetterNewsroom.open { newsroom in
            let file = try newsroom.configurationFile("newsflash.yaml", categories: ["world"])
            try await newsroom.withWorker(file) {
                let words = ["outcomes", "--story", "story-of-later", "--follow", "--config", file]
                let following = try await newsroom.start(words)
                _ = try await following.line(after: "nothing about story story-of-later yet")
                try await newsroom.publish([newsroom.event("later", category: "world")])
                _ = try await following.line(after: "event later, alert, revision 1")
                following.end()
            }
        }
    }
}
