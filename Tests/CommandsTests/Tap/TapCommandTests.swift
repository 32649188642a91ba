import FoundationEssentials
import NewsflashEvents
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command as the program runs it, on the records of a worker.
@Suite(.timeLimit(.minutes(4)))
struct TapCommandTests {
    @Test func `sent events are shown by time, with conditions, and then as they come`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("s-1"))
                try await newsroom.waitForOutcomes(1)
                try await newsroom.publishItem("urn:wire:2")
                try await newsroom.waitForOutcomes(2)

                let all = try await newsroom.run(["tap", "--since", "10m", "--config", file])
                #expect(all.code == 0)
                #expect(all.lines.count == 2, "\(all.lines)")
                let line = "  sent  alert  s-1  from \(WithdrawNewsroom.desk)  1 of 1: main World"
                #expect(all.lines.first?.hasSuffix(line) == true, "\(all.lines)")
                #expect(all.lines.last?.contains("  urn:wire:2  ") == true)

                let wire = try await newsroom.run([
                    "tap", "--since", "10m", "--source", "wire", "--kind", "alert", "--category", "world", "--json",
                    "--config", file,
                ])
                #expect(wire.lines.count == 1, "\(wire.lines)")
                let object = try JSONReader.read(try #require(wire.lines.first))
                #expect(object[member: "outcome"]?[member: "story"]?.string == "urn:wire:2")
                #expect(object[member: "outcome"]?[member: "categories"] == .array([.string("world")]))

                let none = try await newsroom.run(["tap", "--since", "10m", "--source", "dsk", "--config", file])
                #expect(none.code == 0)
                #expect(none.lines.joined().contains("'dsk' is not a source of the configuration (desk, night, wire)"))

                // A shell makes background processes ignore Ctrl-C.
                let words =
                    ["/usr/bin/env", "--default-signal=INT", try TestProgram.path()]
                    + ["tap", "--since", "10m", "--follow", "--config", file]
                let following = try await LeashedProgram(words, environment: TestProgram.environment)
                _ = try await following.line(after: "waiting for outcomes")
                try await newsroom.publish(newsroom.alert("s-3"))
                try await waitUntil { following.lines.events.contains { $0.contains("  s-3  ") } }
                #expect(following.lines.events.count { $0.contains("  s-1  ") } == 1)
                following.signal(SIGINT)
                #expect(try await following.waitForEnd() == 128 + SIGINT)
            }
        }
    }

    @Test(.needsBash) func `a live stream ends when its reader has gone`() async throws {
        try await WithdrawNewsroom.open { newsroom in
            let file = try newsroom.configurationFile()
            try await newsroom.withWorker(file) {
                try await newsroom.publish(newsroom.alert("s-1"))
                try await newsroom.waitForOutcomes(1)
                let script =
                    "'\(try TestProgram.path())' tap --since 10m --follow --config '\(file)' | head -1; echo ended"
                let process = try ChildProcess(
                    ["/usr/bin/env", "bash", "--norc", "-c", script],
                    environment: TestProgram.environment
                )
                // Nothing more is written, so only the closed pipe can end it.
                #expect(try await process.waitForEnd() == .exited(0))
                #expect(process.lines.events.last == "ended")
            }
        }
    }

    @Test func `an unreachable broker is an error in time`() async throws {
        let process = try ChildProcess(
            [try TestProgram.path(), "tap", "--brokers", "127.0.0.1:1"],
            environment: TestProgram.environment
        )
        #expect(try await process.waitForEnd() == .exited(69))
        #expect(process.lines.events.contains { $0.hasPrefix("Error: ") })
    }
}
