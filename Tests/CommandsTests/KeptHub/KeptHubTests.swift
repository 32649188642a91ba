import FoundationEssentials
import NewsflashHTTPTransport
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A hub with `--data` keeps what it has confirmed. `NEWSFLASH_KILLS` is the number of rounds of 200 requests,
/// `NEWSFLASH_KILLS_SEED` the seed.
@Suite(.timeLimit(.minutes(KeptHubRound.count * 2)))
struct KeptHubTests {
    @Test(arguments: KeptHubRound.seeds)
    func `a killed hub has exactly what it has confirmed`(seed: UInt64) async throws {
        var round = try await KeptHubRound(seed: seed)
        try await round.run(requests: 200)
        print(round.summary)
        #expect(round.kills > 10, "seed \(seed)")
    }
}

/// A hub and the model of its state, with random requests, kills, starts, and a disk that is full at times.
struct KeptHubRound {
    static let count = variable("NEWSFLASH_KILLS").flatMap { Int($0) }.map { max(1, $0) } ?? 1
    static let seeds: [UInt64] = {
        let first = variable("NEWSFLASH_KILLS_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)
        return (0..<UInt64(count)).map { first &+ $0 }
    }()

    private let seed: UInt64
    private let folder: TemporaryFolder
    private var steps: RandomKeptHubSteps
    private var process: KeptHubProcess
    /// The expected state while the hub runs.
    private var present = KeptNamespaceModel(main: "Newsroom")
    /// The expected state after a kill.
    private var kept = KeptNamespaceModel(main: "Newsroom")
    /// Whether files must not grow.
    private var isFull = false
    private var typical = Duration.milliseconds(2)
    private(set) var kills = 0
    private var unanswered = 0
    private var applied = 0
    private var refused = 0

    var summary: String {
        "kept hub, seed \(seed): \(kills) kills, \(unanswered) requests without an answer, \(applied) of them kept; "
            + "\(refused) refused by a full disk"
    }

    init(seed: UInt64) async throws {
        self.seed = seed
        folder = try TemporaryFolder()
        steps = RandomKeptHubSteps(seed: seed)
        process = try await KeptHubProcess(folder: folder.path)
    }

    mutating func run(requests: Int) async throws {
        for number in 0..<requests {
            if steps.chance(0.08) {
                isFull.toggle()
                try await process.program.limitFiles(to: isFull ? 1 : nil)
            }
            let step = steps.next(for: present)
            if steps.chance(0.12) { try await makeAndKill(step, number) } else { try await make(step, number) }
        }
        // An orderly end writes what could not be written before.
        try await process.program.limitFiles(to: nil)
        process.program.signal(SIGTERM)
        #expect(try await process.program.waitForEnd() == 0, "seed \(seed)")
        kept = present
        try await restart(mayBe: [kept], after: "an orderly end")
    }

    private mutating func make(_ step: KeptHubStep, _ number: Int) async throws {
        let comment: Comment = "seed \(seed), request \(number): \(step)"
        let start = ContinuousClock.now
        let answer = try #require(try await process.answer(to: step), comment)
        typical = (typical * 3 + (ContinuousClock.now - start)) / 4
        var (status, changes) = present.apply(step, now: .now())
        if isFull, changes || isBehind {
            refused += 1
            isBehind = true
            status = 500
        }
        try #require(answer.status == status, "\(comment): \(String(decoding: answer.body, as: UTF8.self))")
        try await compare(&present, comment)
        if !isFull {
            kept = present
            isBehind = false
        }
    }

    /// Whether some changes are in memory only.
    private var isBehind = false

    private mutating func makeAndKill(_ step: KeptHubStep, _ number: Int) async throws {
        let process = process
        // A time from long before the answer to somewhat after it.
        let moment = typical * (steps.share() * 1.2)
        async let answer = process.answer(to: step)
        // The delay is random on purpose: the kill may come at any point of the work.
        try await Task.sleep(for: moment)
        try await process.kill()
        kills += 1
        let status = try await answer?.status
        var after = present
        let (expected, _) = after.apply(step, now: .now())
        var possible: [KeptNamespaceModel] = []
        if let status {
            try #require(status == expected || isFull && status == 500, "seed \(seed), request \(number): \(step)")
            possible = [isFull ? kept : after]
        } else {
            unanswered += 1
            possible = isFull ? [kept] : [kept, after]
        }
        isFull = false
        isBehind = false
        // A start that is killed changes nothing either.
        if steps.chance(0.3) {
            let program = try await KeptHubProcess.launch(folder: folder.path)
            // The kill may come at any point of the start.
            try await Task.sleep(for: .milliseconds(60) * steps.share())
            program.signal(SIGKILL)
            _ = try await program.waitForEnd()
            kills += 1
        }
        let found = try await restart(mayBe: possible, after: "request \(number): \(step)")
        if found == 1 { applied += 1 }
    }

    /// Starts the hub again and finds out which of the possible states it has.
    ///
    /// - Returns: The number of the state.
    @discardableResult
    private mutating func restart(mayBe possible: [KeptNamespaceModel], after what: String) async throws -> Int {
        let connection = process.connection.key.secretText
        process = try await KeptHubProcess(folder: folder.path)
        #expect(process.connection.key.secretText == connection, "seed \(seed), after \(what)")
        var found: [[String]] = []
        for (number, state) in possible.enumerated() {
            var state = state
            state.restart()
            let differences = try await differences(&state)
            guard !differences.isEmpty else {
                present = state
                kept = state
                return number
            }
            found.append(differences)
        }
        let text = found.map { $0.joined(separator: "\n") }.joined(separator: "\nor\n")
        throw KeptHubProcess.Failure(description: "seed \(seed), after \(what):\n\(text)")
    }

    private func compare(_ state: inout KeptNamespaceModel, _ comment: Comment) async throws {
        let differences = try await differences(&state)
        try #require(differences.isEmpty, "\(comment)\n\(differences.joined(separator: "\n"))")
    }

    private func differences(_ state: inout KeptNamespaceModel) async throws -> [String] {
        var found: [String] = []
        for key in RandomKeptHubSteps.hubKeys {
            let snapshot = try await KeptHubSnapshot.read(key, of: process)
            found += state.differences(from: snapshot, of: key)
        }
        return found
    }
}
