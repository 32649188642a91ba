import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `newsflash reload --wait`: the answer of each worker.
@Suite(.timeLimit(.minutes(4)))
struct ReloadWaitTests {
    private let order: ReloadOrder

    init() throws {
        let time = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        order = ReloadOrder(by: "ed:novak", reason: "a siren", at: time)
    }

    private func look(digest: String, reload: String? = nil, started: String = "07:00") throws -> WorkerSnapshot {
        let status = """
            {"worker":{"startedAt":"2026-03-02T\(started):00Z"},"rules":{"digest":"\(digest)",\
            "since":"2026-03-02T07:00:00.000Z","lastReload":\(reload ?? "null")}}
            """
        let health = try JSONReader.read(#"{"ready":true,"reasons":[]}"#)
        let facts = WorkerFacts(health: health, status: try JSONReader.read(status), ends: nil)
        return WorkerSnapshot(address: "a:1", answer: .success(facts))
    }

    private func reload(_ result: String, at: String = "08:00:01", by: String = "ed:novak") -> String {
        """
        {"result":"\(result)","at":"2026-03-02T\(at).000Z","by":"\(by)","reason":"a siren","detail":"why",\
        "problems":["line 3: x"]}
        """
    }

    private let silent = WorkerSnapshot(address: "a:1", answer: .failure(NoAnswerError(why: "nobody listens")))

    @Test func `a worker has obeyed only if it has a new result of this order and the rules of the file`() throws {
        let before = try look(digest: "old", reload: reload("dropped", at: "07:59:00"))
        func kind(_ look: WorkerSnapshot, before: WorkerSnapshot, digest: String? = "new") -> ReloadAnswer.Kind {
            ReloadWait([], digest: digest, before: []).answer(of: look, before: before, to: order).kind
        }
        #expect(kind(try look(digest: "new", reload: reload("promoted")), before: before) == .inForce)
        #expect(kind(try look(digest: "new", reload: reload("unchanged")), before: before) == .inForce)
        #expect(kind(try look(digest: "old", reload: reload("dropped")), before: before) == .rejected)
        #expect(kind(try look(digest: "old", reload: reload("refused")), before: before) == .rejected)
        #expect(kind(try look(digest: "old", reload: reload("needs_restart")), before: before) == .rejected)
        // Another machine has another file.
        #expect(kind(try look(digest: "other", reload: reload("promoted")), before: before) == .otherRules)
        #expect(
            kind(try look(digest: "other", reload: reload("promoted")), before: before, digest: nil) == .notCompared
        )
        #expect(kind(try look(digest: "old", reload: reload("dropped")), before: before, digest: nil) == .rejected)
        #expect(kind(try look(digest: "new", started: "08:01"), before: before, digest: nil) == .notCompared)
        // No result yet, or that of another order.
        #expect(kind(before, before: before) == .pending)
        #expect(kind(try look(digest: "old", reload: reload("promoted", by: "SIGHUP")), before: before) == .pending)
        #expect(kind(try look(digest: "new", reload: nil), before: try look(digest: "new")) == .pending)
        #expect(kind(silent, before: before) == .noAnswer)
        // It was restarted meanwhile, so it has read the file.
        #expect(kind(try look(digest: "new", started: "08:01"), before: before) == .inForce)
        #expect(kind(try look(digest: "old", started: "08:01"), before: before) == .otherRules)
        // It did not answer before the order.
        #expect(kind(try look(digest: "new", reload: reload("promoted")), before: silent) == .inForce)
        #expect(kind(try look(digest: "new", reload: reload("promoted", at: "07:59:00")), before: silent) == .pending)
    }

    @Test func `the line of a worker has the digest, the result and what to do`() throws {
        let wait = ReloadWait([], digest: "new", before: [])
        let answer = wait.answer(
            of: try look(digest: "old", reload: reload("dropped")),
            before: try look(digest: "old"),
            to: order
        )
        #expect(
            answer.line
                == "a:1: REJECTED, digest old since 2026-03-02T07:00:00.000Z: dropped: why; line 3: x"
        )
        let json = try JSONReader.read(answer.json)
        #expect(json[member: "answer"]?.string == "rejected")
        #expect(json[member: "digest"]?.string == "old")
        #expect(wait.answer(of: silent, before: silent, to: order).line == "a:1: NO ANSWER: nobody listens")
    }

    private func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try ChildProcess([TestProgram.path()] + words, environment: TestProgram.environment)
        guard case .exited(let code) = try await process.waitForEnd() else {
            throw ChildProcess.Failure(description: "newsflash was killed")
        }
        return (code, process.lines.events)
    }

    @Test func `the command waits for a running worker, and fails if it rejects the rules or is silent`() async throws {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            let address = try ProgramNewsroom.freeAddress()
            let worker = try await newsroom.startWorker(until: "a partition was restored", admin: address)
            let words = ["reload", "--config", newsroom.file, "--by", "ed:novak", "--admin", address, "--wait"]
            try newsroom.write("reload: { canary: 1 }", flash: "Flash: ")
            let taken = try await run(words + ["20s", "--reason", "a siren"])
            #expect(taken.code == 0, "\(taken.lines)")
            let line = try #require(taken.lines.last)
            #expect(line.hasPrefix("\(address): in force, digest ") && line.contains(": promoted: "), "\(line)")
            let status = try await run(["status", "--admin", address])
            #expect(
                status.lines.contains { $0.hasPrefix("  rules      in force since 20") && $0.contains(", digest ") }
            )

            // This machine's file is faulty, and the worker's is not: its digest is not known here.
            let faulty = newsroom.file + ".faulty.yaml"
            let text = try String(decoding: EventFiles.content(of: newsroom.file), as: UTF8.self)
            try text.replacing("canary: 1", with: "canary: many").write(
                toFile: faulty,
                atomically: true,
                encoding: .utf8
            )
            let unknown = try await run(words.map { $0 == newsroom.file ? faulty : $0 } + ["20s", "--reason", "again"])
            #expect(unknown.code == 1, "\(unknown.lines)")
            #expect(unknown.lines.last?.hasPrefix("\(address): NOT COMPARED, digest ") == true, "\(unknown.lines)")

            try newsroom.write("reload: { canary: many }", flash: "Flash: ")
            let refused = try await run(words + ["20s", "--reason", "a mistake", "--json"])
            #expect(refused.code == 1, "\(refused.lines)")
            let answer = try JSONReader.read(Array((refused.lines.last ?? "").utf8))
            #expect(answer[member: "answer"]?.string == "rejected")
            #expect(answer[member: "detail"]?.string?.contains("reload.canary: 'many' is not a whole number") == true)

            try newsroom.write("reload: { canary: 1 }", flash: "Flash: ")
            worker.signal(SIGTERM)
            #expect(try await worker.waitForEnd() == 0)
            let silent = try await run(words + ["1s"])
            #expect(silent.code == 1, "\(silent.lines)")
            #expect(silent.lines.last?.hasPrefix("\(address): NO ANSWER: ") == true)
        }
    }

    @Test func `orders are JSON objects`() async throws {
        try await ProgramNewsroom.open("reload: { canary: 1 }") { newsroom in
            for words in [["reload", "--untested"], ["log-level", "debug", "--for", "1s"]] {
                let done = try await run(words + ["--reason", "a test", "--json", "--config", newsroom.file])
                #expect(done.code == 0 && done.lines.count == 1, "\(done.lines)")
                let json = try JSONReader.read(Array((done.lines.first ?? "").utf8))
                #expect(json[member: "order"]?[member: "reason"]?.string == "a test")
            }
        }
    }

    @Test(arguments: [
        ["reload", "--wait", "30"], ["reload", "--wait", "2h"], ["reload", "--admin", "127.0.0.1:1"],
        ["status", "--group", "--waiting"], ["status", "--waiting", "--admin", "127.0.0.1:1"], ["top", "--every", "2"],
    ])
    func `wrong or contradicting options are refused`(words: [String]) async {
        #expect(await Newsflash.main(words, output: { _ in }, errors: { _ in }) == .validationFailure)
    }
}
