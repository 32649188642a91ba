import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// A command that connects to Kafka, and what it needs there.
struct ConnectingCommand: Sendable {
    /// A topic of the newsroom.
    enum Topic: String, Sendable, CaseIterable {
        case news, ledger, outcomes, letters, control
    }

    /// The arguments after the program's name, without the configuration.
    let words: [String]
    /// The first topic that the command needs; `nil` if it lists or makes all.
    let first: Topic?
    /// The exit code if this topic is missing: 69, unless the help of the command has another.
    var codeOfMissing: Int32 = 69
    /// Whether the command runs until it is stopped, and tries again.
    var runsOn = false

    var name: String { words.prefix { !$0.hasPrefix("-") }.joined(separator: " ") }

    /// All commands that connect to Kafka with a configuration.
    ///
    /// - Parameter event: The path of a file with an event.
    /// - Returns: The commands.
    static func all(event: String) -> [ConnectingCommand] {
        [
            ConnectingCommand(words: ["run"], first: .news, runsOn: true),
            // Missing topics are problems that 'check' and 'topics plan' look for: 1.
            ConnectingCommand(words: ["check"], first: .news, codeOfMissing: 1),
            ConnectingCommand(words: ["topics", "plan"], first: .news, codeOfMissing: 1),
            // Makes missing topics.
            ConnectingCommand(words: ["topics", "apply"], first: nil),
            ConnectingCommand(words: ["capture"], first: .news),
            ConnectingCommand(words: ["status", "--group"], first: .news),
            ConnectingCommand(words: ["tap", "--since", "1h"], first: .outcomes),
            ConnectingCommand(words: ["outcomes", "--story", "urn:desk:1"], first: .outcomes),
            ConnectingCommand(words: ["dead-letters", "list"], first: .letters),
            ConnectingCommand(words: ["dead-letters", "show", "0@0"], first: .letters),
            ConnectingCommand(words: ["dead-letters", "redrive", "--yes"], first: .letters),
            ConnectingCommand(words: ["replay", "--since", "1h"], first: .news),
            ConnectingCommand(words: ["withdraw", "--story", "urn:desk:1"], first: .ledger),
            ConnectingCommand(words: ["publish", event], first: .news),
            ConnectingCommand(words: ["publish", "--kind", "kill", "--story", "urn:desk:1"], first: .news),
            ConnectingCommand(words: ["pause", "--all", "--by", "test"], first: .control),
            ConnectingCommand(words: ["resume", "--source", "desk", "--by", "test"], first: .control),
            ConnectingCommand(words: ["pauses"], first: .control),
            ConnectingCommand(words: ["reload", "--by", "test"], first: .control),
            ConnectingCommand(words: ["log-level", "debug", "--by", "test"], first: .control),
        ]
    }
}

/// How a command ended.
struct CommandEnd: Sendable {
    let command: ConnectingCommand
    /// The exit code; -1 for a command that did not end and was killed.
    let code: Int32
    let lines: [String]
    /// The longest time without a line.
    let longestSilence: Duration

    var text: String { lines.joined(separator: "\n") }
}

/// The files of a newsroom whose Kafka fails, and the calls of commands with them.
struct FailingNewsroom: Sendable {
    /// The longest time that a command may be silent.
    static let patience = Duration.seconds(15)
    /// The time after which a command that does not end is killed.
    private static let longest = Duration.seconds(60)

    private let folder: TemporaryFolder
    let commands: [ConnectingCommand]

    /// - Parameters:
    ///   - kafka: The keys of the section `kafka`, as YAML.
    ///   - prefix: The beginning of the names of topics.
    /// - Throws: If the files cannot be written.
    init(kafka: String, prefix: String = "") throws {
        folder = try TemporaryFolder()
        let event = try folder.write(SampleNewsroom.flash, to: "event.json")
        let topic = { (topic: ConnectingCommand.Topic) in prefix + topic.rawValue }
        let text =
            SampleNewsroom.yaml + """

                kafka: { \(kafka), group: \(prefix)failing }
                sources: { desk: { topic: \(topic(.news)) } }
                topics: { outcomes: \(topic(.outcomes)), deadLetters: \(topic(.letters)), ledger: \(topic(.ledger)), \
                control: \(topic(.control)) }
                admin: { listen: "127.0.0.1:0" }
                """
        try folder.write(text, to: "newsflash.yaml")
        commands = ConnectingCommand.all(event: event)
    }

    /// Runs commands at the same time.
    ///
    /// - Parameters:
    ///   - isMeant: Whether to run a command.
    ///   - hub: The connection string of the hub.
    ///   - proof: A part of the line after which a command that runs on is stopped.
    /// - Returns: How each ended, in their order.
    /// - Throws: If one cannot be started.
    func run(
        where isMeant: (ConnectingCommand) -> Bool = { _ in true },
        hub: String = CheckedNewsroom.nowhere,
        until proof: String = "waits for Kafka"
    ) async throws -> [CommandEnd] {
        let meant = commands.filter(isMeant)
        let environment = TestProgram.environment(adding: ["NEWSFLASH_HUB_CONNECTION_STRING": hub])
        return try await withThrowingTaskGroup(of: (Int, CommandEnd).self) { group in
            for (index, command) in meant.enumerated() {
                group.addTask { (index, try await run(command, environment, until: proof)) }
            }
            var ends: [(Int, CommandEnd)] = []
            for try await end in group { ends.append(end) }
            return ends.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func run(
        _ command: ConnectingCommand,
        _ environment: [String],
        until proof: String
    ) async throws -> CommandEnd {
        let words = [try TestProgram.path()] + command.words + ["--config", folder.file("newsflash.yaml")]
        let process = try ChildProcess(words, environment: environment)
        process.endInput()
        let watch = Task {
            var longest = Duration.zero
            var last = ContinuousClock.now
            var seen = 0
            var isStopped = false
            // Cancelled after the end of the process.
            while !Task.isCancelled, (try? await process.lines.wait { [seen] in $0.count > seen ? () : nil }) != nil {
                longest = max(longest, last.duration(to: .now))
                last = .now
                let lines = process.lines.events
                seen = lines.count
                // A second signal would end it at once.
                guard command.runsOn, !isStopped, lines.contains(where: { $0.contains(proof) }) else { continue }
                isStopped = true
                process.terminate()
            }
            return max(longest, last.duration(to: .now))
        }
        // Cancelled after the end of the process.
        let limit = Task {
            try await Task.sleep(for: Self.longest)
            process.terminate()
        }
        let end = try await process.waitForEnd()
        watch.cancel()
        limit.cancel()
        let code: Int32 = if case .exited(let code) = end { code } else { -1 }
        return CommandEnd(
            command: command,
            code: code,
            lines: process.lines.events,
            longestSilence: await watch.value
        )
    }
}

/// The parts of a correct report of a failure, and the exit code.
struct FailureReport {
    /// The exit code, for a command that does not run on.
    let code: (ConnectingCommand) -> Int32
    /// Parts of the output: the problem, its place, what to do.
    let parts: (ConnectingCommand) -> [String]

    /// Returns what is wrong with the end of a command.
    func faults(of end: CommandEnd) -> [String] {
        var faults: [String] = []
        let code = end.command.runsOn ? 0 : code(end.command)
        if end.code != code { faults.append("exit code \(end.code), not \(code)") }
        if end.longestSilence > FailingNewsroom.patience { faults.append("silent for \(end.longestSilence)") }
        // A worker that runs on logs the words of librdkafka, with the place and what to do.
        let parts = end.command.runsOn ? [] : parts(end.command)
        for part in parts where !end.text.contains(part) { faults.append("no '\(part)'") }
        return faults.map { "\(end.command.words.joined(separator: " ")): \($0):\n\(end.text)" }
    }
}
