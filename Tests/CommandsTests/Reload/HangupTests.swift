import NewsflashCommandLineArguments
import NewsflashEvents
import NewsflashHubEmulator
import NewsflashKafka
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

/// `newsflash run` in a process of its own, whose configuration changes.
@Suite(.timeLimit(.minutes(4)))
struct HangupTests {
    @Test func `SIGHUP checks the changed file with the latest events, and its texts are in force afterwards`()
        async throws
    {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            let worker = try await newsroom.startWorker(until: "the worker has started")
            try await newsroom.publish("1")
            _ = await newsroom.hub.waitForPushes(count: 1)
            try newsroom.write("reload: { canary: 1, announce: [words] }", flash: "Flash: ")
            worker.signal(SIGHUP)
            let line = try await worker.waitForLine(with: "the reloaded configuration is in force")
            #expect(line.contains("tried on 1 event: 1 words"))
            try await newsroom.publish("2")
            _ = await newsroom.hub.waitForPushes(count: 2)
            #expect(newsroom.headlines == ["Breaking: news 1", "Flash: news 2"])
            worker.signal(SIGTERM)
            #expect(try await worker.waitForEnd() == 0)
        }
    }

    @Test func `the commands reach a running worker, and a log level that they set is reset`() async throws {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            let worker = try await newsroom.startWorker(until: "the worker has started")
            try newsroom.write("reload: { canary: 100 }", flash: "Flash: ")
            let words = ["--canary", "1", "--announce", "words", "--announce", "audience", "--reason", "a siren"]
            #expect(await newsroom.command(["reload", "--by", "ed:novak"] + words) == .success)
            let line = try await worker.waitForLine(with: "the reloaded configuration is in force")
            #expect(line.contains("ed:novak") && line.contains("a siren"))
            #expect(line.contains("warning") && line.contains("tried on 0 of 1 events"))
            #expect(await newsroom.command(["log-level", "debug", "--for", "2s", "--reason", "a look"]) == .success)
            let level = try await worker.waitForLine(with: "the log level has changed")
            #expect(level.contains("from=info") && level.contains("to=debug"))
            _ = try await worker.lines.wait { lines in
                lines.filter { $0.contains("the log level has changed") }.dropFirst().first
            }
            worker.signal(SIGTERM)
            #expect(try await worker.waitForEnd() == 0)
        }
    }

    @Test(arguments: [
        ["reload", "--untested", "--announce", "words", "--reason", "x"],
        ["reload", "--announce", "same", "--reason", "x"],
        ["reload", "--canary", "0", "--reason", "x"], ["reload", "--canary", "201", "--reason", "x"],
        ["reload", "--reason", ""], ["log-level", "loud", "--reason", "x"],
        ["log-level", "debug", "--for", "25h", "--reason", "x"],
    ])
    func `contradicting options are refused before anything is written`(words: [String]) async {
        #expect(await Newsflash.main(words, output: { _ in }, errors: { _ in }) == .validationFailure)
    }

    @Test func `after SIGHUP with a wrong file the worker works on and logs all problems`() async throws {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            let worker = try await newsroom.startWorker(until: "the worker has started")
            try newsroom.write("reload: { canary: many, announce: [cheer] }", flash: "Flash: ")
            worker.signal(SIGHUP)
            let line = try await worker.waitForLine(with: "the reloaded configuration is rejected")
            #expect(line.contains("reload.canary: 'many' is not a whole number"))
            #expect(line.contains("reload.announce: 'cheer' is not one of: words, audience, lost, gained"))
            try await newsroom.publish("1")
            _ = await newsroom.hub.waitForPushes(count: 1)
            #expect(newsroom.headlines == ["Breaking: news 1"])
            worker.signal(SIGTERM)
            #expect(try await worker.waitForEnd() == 0)
        }
    }
}

extension ProgramNewsroom {
    /// Runs a command with the worker's configuration.
    fileprivate func command(_ words: [String]) async -> ExitCode {
        await Newsflash.main(words + ["--config", file], output: { _ in }, errors: { _ in })
    }

    /// Writes a flash.
    fileprivate func publish(_ id: String) async throws {
        let event = NewsEvent(
            id: id,
            source: "desk",
            story: "story-\(id)",
            revision: 1,
            kind: .flash,
            published: Timestamp.now(),
            categories: ["world"],
            language: "en",
            text: [EventText(language: "en", headline: "news \(id)")]
        )
        let record = KafkaRecord(
            topic: topics[0],
            partition: 0,
            key: Array(event.story.utf8),
            value: EventEncoder.encode(event)
        )
        try await cluster.write([record])
    }

    /// The headlines that the hub has accepted, in their order.
    fileprivate var headlines: [String] {
        hub.pushes.map { push in
            (try? JSONReader.read(push.body))?[member: "headline_en"]?.string ?? ""
        }
    }
}
