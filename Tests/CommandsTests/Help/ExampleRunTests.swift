import FoundationEssentials
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Runs the examples of commands that need no service, in a folder with the files that they name.
@Suite(.timeLimit(.minutes(4)))
struct ExampleRunTests {
    private static let completion = "--generate-completion-script"

    /// The commands, without the program's name, that need neither Kafka nor a hub nor a person at a keyboard.
    private static let alone: [[String]] = [
        ["lint"], ["rehearse"], ["explain"], [completion], ["gateway", "user"], ["config", "show"],
    ]

    private static var examples: [HelpExample] {
        HelpExample.all.filter { example in
            let calls = example.calls
            guard !calls.isEmpty, !example.command.isEmpty || calls.contains(where: { $0.first == completion }) else {
                return false
            }
            return calls.allSatisfy { call in
                // To remove a user, the command queries the hub.
                alone.contains { call.starts(with: $0) } && !call.contains("--remove")
                    || call.contains("--offline") && !call.contains("--brokers")
            }
        }
    }

    /// Returns the other programs that an example calls, and its shell if it is not bash.
    private static func programs(of example: HelpExample) -> Set<String> {
        let called = ShellWords.commands(in: example.line).compactMap(\.first).filter {
            !["newsflash", "source", "cat", "tee"].contains($0)
        }
        return Set(called).union(["zsh", "fish"].filter { example.line.contains("\(completion) \($0)") })
    }

    /// Returns the examples that need only the given program; for `nil`, those that need no other program.
    private static func examples(with program: String?) -> [HelpExample] {
        examples.filter { programs(of: $0) == (program.map { [$0] } ?? []) }
    }

    @Test func `every example is in one of the groups that are run`() {
        let groups = [nil, "jq", "openssl", "zsh", "fish"].map { Self.examples(with: $0) }
        #expect(groups.allSatisfy { !$0.isEmpty })
        let run = groups.joined().map(\.line)
        #expect(run.count >= 20)
        #expect(run.sorted() == Self.examples.map(\.line).sorted())
    }

    @Test(.needsBash, arguments: examples(with: nil))
    func `each example works`(example: HelpExample) async throws {
        try await run(example, in: ["bash", "--norc", "-c"], "set -o pipefail && { \(example.line)\n}")
    }

    @Test(.needsBash, .needsProgram("jq"), arguments: examples(with: "jq"))
    func `each example with jq works`(example: HelpExample) async throws {
        try await run(example, in: ["bash", "--norc", "-c"], "set -o pipefail && { \(example.line)\n}")
    }

    @Test(.needsBash, .needsOpenSSL, arguments: examples(with: "openssl"))
    func `each example with openssl works`(example: HelpExample) async throws {
        try await run(example, in: ["bash", "--norc", "-c"], "set -o pipefail && { \(example.line)\n}")
    }

    @Test(.needsProgram("zsh"), arguments: examples(with: "zsh"))
    func `each example for zsh works`(example: HelpExample) async throws {
        let script = "autoload -Uz compinit && compinit -u -D && \(example.line) && print ${_comps[newsflash]}"
        #expect(try await run(example, in: ["zsh", "-f", "-c"], script) == ["_newsflash"])
    }

    @Test(.needsProgram("fish"), arguments: examples(with: "fish"))
    func `each example for fish works`(example: HelpExample) async throws {
        let script = "\(example.line); and complete -C 'newsflash \(Self.completion) '"
        // A description follows each value after a tab.
        let values = try await run(example, in: ["fish", "--no-config", "-c"], script).map { $0.prefix { $0 != "\t" } }
        #expect(values == ["bash", "fish", "zsh"])
    }

    /// Runs the script of an example in a folder with the files that it names.
    ///
    /// - Returns: The lines that it printed.
    @discardableResult
    private func run(_ example: HelpExample, in shell: [String], _ script: String) async throws -> [String] {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let prefix = ["/usr/bin/env", "--chdir=\(folder.path)", "PATH=\(folder.path):\(variable("PATH") ?? "")"]
        let process = try ChildProcess(prefix + shell + [script], environment: TestProgram.environment)
        // Answers a prompt for a password.
        process.send("correct horse battery staple")
        process.endInput()
        let end = try await process.waitForEnd()
        let lines = process.lines.events
        #expect(end == .exited(0), "\(lines.joined(separator: "\n"))")
        #expect(!lines.isEmpty || example.line.contains("source") || example.line.contains("jq"), "it prints nothing")
        return lines
    }

    /// Writes the files that examples name.
    private func write(to folder: TemporaryFolder) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("samples"), withIntermediateDirectories: true)
        let events = [SampleNewsroom.flash, SampleNewsroom.correction, SampleNewsroom.kill].joined(separator: "\n")
        try files.createDirectory(atPath: folder.file("scenes"), withIntermediateDirectories: true)
        let contents = [
            "scenes/flash.ndjson": events, "scenes/flash.expected.ndjson": #"{"line":1,"outcome":"sent"}"#,
            "newsflash.yaml": String(decoding: try content("\(Scene.checkout)/deploy/newsflash.yaml"), as: UTF8.self),
            "event.json": SampleNewsroom.flash, "events.ndjson": events, "yesterday.ndjson": events,
            "samples/quake.ndjson": events, "password": "correct horse battery staple\n", "broken.bin": "{\u{1}",
            "alert.json": #"{"aps":{"alert":"$(headline_en)"}}"#,
            "android.json": #"{"message":{"notification":{"title":"$(headline_en)"}}}"#,
            "toast.xml":
                #"<toast><visual><binding template="ToastText01"><text id="1">$(headline_en)</text></binding></visual></toast>"#,
            "scenes.ndjson": events,
            "scenes.expected.ndjson": #"{"line":1,"outcome":"sent"}"#,
        ]
        for (name, content) in contents {
            #expect(files.createFile(atPath: folder.file(name), contents: Data(content.utf8)))
        }
        try files.createSymbolicLink(atPath: folder.file("newsflash"), withDestinationPath: try TestProgram.path())
    }

    private func content(_ file: String) throws -> [UInt8] { try EventFiles.content(of: file) }
}
