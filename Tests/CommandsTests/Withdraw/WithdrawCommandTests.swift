import FoundationEssentials
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The command as the program runs it, with a worker: it prints success if and only if the hub has the withdrawal.
@Suite(.timeLimit(.minutes(4)))
struct WithdrawCommandTests {
    @Test func `a story of an event source is withdrawn in its own partition, and once`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("s-1", revision: 7))
                try await newsroom.waitForOutcomes(1)
                let first = try await newsroom.withdraw(["--story", "s-1", "--reason", "the bridge is closed"], file)
                #expect(first.code == 0, "\(first.lines)")
                #expect(first.lines.first == "withdrawn at 1 of 1 audience: story s-1, source desk")
                #expect(first.lines.dropFirst().first?.hasPrefix("  accepted: main, template, World") == true)
                #expect(newsroom.withdrawals(of: "s-1") == ["Withdrawn: A bridge has opened (s-1)"])

                let record = try #require(try await newsroom.records(of: "desk").last)
                #expect(record.partition == 1)
                #expect(record.key == Array("s-1".utf8))
                let value = try JSONReader.read(record.value ?? [])
                #expect(value[member: "revision"]?.int64 == 8)
                #expect(value[member: "source"]?.string == WithdrawNewsroom.desk)
                #expect(value[member: "note"]?.string == "the bridge is closed")
                #expect(value[member: "approvedBy"] == .array([.string("ed:novak")]))

                let second = try await newsroom.withdraw(["--story", "s-1"], file)
                #expect(second.code == 0)
                #expect(
                    second.lines.first == "withdrawn before at 1 audience: story s-1, source desk",
                    "\(second.lines)"
                )
                #expect(newsroom.withdrawals(of: "s-1").count == 1)
            }
        }
    }

    @Test func `a story of an agency's feed is withdrawn with a text of the user`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publishItem("urn:wire:9")
                try await newsroom.waitForOutcomes(1)
                let words = ["--story", "urn:wire:9", "--text", "en=No dam has opened", "--json"]
                let run = try await newsroom.withdraw(words, file)
                #expect(run.code == 0, "\(run.lines)")
                let line = try JSONReader.read(try #require(run.lines.first))
                #expect(line[member: "result"]?.string == "withdrawn")
                #expect(line[member: "source"]?.string == "wire")
                #expect(line[member: "accepted"]?.int64 == 1 && line[member: "audiences"]?.int64 == 1)
                #expect(newsroom.withdrawals(of: "urn:wire:9") == ["Withdrawn: No dam has opened"])
                let record = try #require(try await newsroom.records(of: "wire").last)
                #expect(record.partition == 1)
                #expect(record.headers.map(\.name) == ["newsflash-event"])
            }
        }
    }

    @Test func `a story of two sources is withdrawn in both or in the named one`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                for story in ["both", "one"] {
                    try await newsroom.publish(newsroom.alert(story))
                    try await newsroom.publish(newsroom.alert(story, source: "urn:night"), to: "night", partition: 0)
                }
                try await newsroom.waitForOutcomes(4)
                let both = try await newsroom.withdraw(["--story", "both"], file)
                #expect(both.code == 0, "\(both.lines)")
                let headings = both.lines.filter { $0.hasPrefix("withdrawn at 1 of 1 audience: story both, source ") }
                #expect(headings.count == 2, "\(both.lines)")
                #expect(newsroom.withdrawals(of: "both").count == 2)

                let one = try await newsroom.withdraw(["--story", "one", "--source", "night"], file)
                #expect(one.code == 0, "\(one.lines)")
                #expect(newsroom.withdrawals(of: "one").count == 1)
                #expect(try await newsroom.records(of: "desk").count == 3)
            }
        }
    }

    @Test func `an unknown story is an error with similar names, and nothing is written`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("urn:desk:1"))
                try await newsroom.publishItem("urn:desk:14")
                try await newsroom.waitForOutcomes(2)
                let run = try await newsroom.withdraw(["--story", "urn:desk:l"], file)
                #expect(run.code == 1)
                let text = run.lines.joined(separator: "\n")
                #expect(text.contains("nobody was notified of story urn:desk:l: no ledger of desk, night, wire has it"))
                #expect(text.contains("similar names, the newest first: ") && text.contains("urn:desk:14"), "\(text)")
                // Offsets are committed a moment after the outcomes.
                var later = run
                for _ in 0..<20 where later.lines.contains(where: { $0.contains("no worker has processed") }) {
                    later = try await newsroom.withdraw(["--story", "urn:desk:l"], file)
                }
                #expect(!later.lines.contains { $0.contains("no worker has processed") }, "\(later.lines)")
                #expect(try await newsroom.records(of: "desk").count == 1)
                #expect(try await newsroom.records(of: "wire").count == 1)
            }
            try await newsroom.publish(newsroom.alert("urn:desk:2"))
            let run = try await newsroom.withdraw(["--story", "urn:desk:2", "--json"], file)
            #expect(run.code == 1)
            #expect(run.lines.contains { $0.contains("source desk has 1 record that no worker has processed") })
            let line = try JSONReader.read(try #require(run.lines.first))
            #expect(line[member: "type"]?.string == "unknown")
            #expect(line[member: "unread"]?[member: "desk"]?.int64 == 1)
            #expect(line[member: "similar"]?.array?.contains(.string("urn:desk:1")) == true)
        }
    }

    @Test func `a story that reached nobody is stopped, and the command fails`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                var waiting = newsroom.alert("s-3")
                waiting.embargo = waiting.published + .seconds(3600)
                try await newsroom.publish(waiting)
                try await newsroom.waitForOutcomes(1)
                let run = try await newsroom.withdraw(["--story", "s-3"], file)
                #expect(run.code == 1)
                #expect(run.lines.first?.hasPrefix("nobody was notified, so nobody was sent a withdrawal") == true)
                #expect(newsroom.hub.pushes.isEmpty)
            }
        }
    }

    @Test func `a withdrawal from a paused source waits, and the command prints how to go on`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("s-4"))
                try await newsroom.waitForOutcomes(1)
                try await newsroom.order(.pause, WithdrawNewsroom.desk)
                // The pause is in force when an alert waits for it.
                try await newsroom.publish(newsroom.alert("other"))
                try await newsroom.waitForOutcomes(2)
                let run = try await newsroom.withdraw(["--story", "s-4"], file)
                #expect(run.code == 1)
                #expect(run.lines.first == "waits, nobody has it yet: story s-4, source desk", "\(run.lines)")
                #expect(run.lines.contains { $0.contains("newsflash resume --source desk") })
                #expect(newsroom.withdrawals(of: "s-4").isEmpty)
                // A line has a command that sends the withdrawal and nothing else.
                let line = try #require(run.lines.first { $0.contains("newsflash resume --event ") }, "\(run.lines)")
                let words = try #require(line.split(separator: "'").last).split(separator: " ").map(String.init)
                let resumed = try await newsroom.run(words.dropFirst() + ["--config", file])
                #expect(resumed.code == 0, "\(resumed.lines)")
                try await waitUntil { newsroom.withdrawals(of: "s-4").count == 1 }
                let sent = newsroom.hub.pushes.count
                try await newsroom.order(.resume, WithdrawNewsroom.desk)
                try await waitUntil { newsroom.hub.pushes.count == sent + 1 }
                #expect(newsroom.withdrawals(of: "s-4").count == 1)
            }
        }
    }

    @Test func `the command works although the configuration has problems elsewhere`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            try await newsroom.withWorker(try newsroom.configurationFile()) {
                try await newsroom.publishItem("s-9")
                try await newsroom.waitForOutcomes(1)
                let broken = try newsroom.configurationFile("broken.yaml", more: "unknown: dropp\nquota: [")
                let run = try await newsroom.withdraw(["--story", "s-9"], broken)
                #expect(run.code == 0, "\(run.lines)")
                #expect(run.lines.contains { $0.hasSuffix("not concern this command; see 'newsflash lint'") })
                #expect(newsroom.withdrawals(of: "s-9").count == 1)
                let tap = try await newsroom.run(["tap", "--since", "10m", "--config", broken])
                #expect(tap.code == 0)
                #expect(tap.lines.contains { $0.contains("  kill  s-9  ") }, "\(tap.lines)")
                let publish = ["publish", "--kind", "kill", "--story", "s-9", "--source", "wire", "--config", broken]
                // The key may lead to a partition without the story.
                #expect([0, 1].contains(try await newsroom.run(publish).code))
            }
        }
    }

    @Test func `without a worker nothing is printed as done, and the withdrawal is sent later`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("s-5"))
                try await newsroom.waitForOutcomes(1)
            }
            let run = try await newsroom.withdraw(["--story", "s-5", "--wait", "1s"], file)
            #expect(run.code == 1)
            #expect(
                run.lines.contains("written, but no worker has answered for 1s: story s-5, source desk"),
                "\(run.lines)"
            )
            #expect(newsroom.withdrawals(of: "s-5").isEmpty)
            try await newsroom.withWorker(file) {
                try await waitUntil { newsroom.withdrawals(of: "s-5").count == 1 }
            }
        }
    }

    @Test func `a kill by publish prints its result`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                let publish = ["publish", "--config", file, "--source", "wire"]
                let alert = ["--kind", "alert", "--story", "s-8", "--category", "world", "--headline", "en=A dam"]
                #expect(try await newsroom.run(publish + alert).code == 0)
                try await newsroom.waitForOutcomes(1)
                let kill = try await newsroom.run(publish + ["--kind", "kill", "--story", "s-8"])
                #expect(kill.code == 0, "\(kill.lines)")
                #expect(kill.lines.contains("withdrawn at 1 of 1 audience: story s-8, source wire"))
                #expect(newsroom.withdrawals(of: "s-8") == ["Withdrawn: A dam"])

                let other = try await newsroom.run(["publish", "--config", file, "--kind", "kill", "--story", "s-8"])
                #expect(other.code == 1)
                #expect(other.lines.contains { $0.hasPrefix("nobody was notified") }, "\(other.lines)")
                #expect(newsroom.withdrawals(of: "s-8").count == 1)
            }
        }
    }
}
