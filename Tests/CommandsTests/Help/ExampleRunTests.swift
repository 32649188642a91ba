import FoundationEssentials
import KafkaTestCluster
import TestSupport
import Testing

@testable import Commands

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the examples of the commands that need no service, in a folder with the files that they name.
@Suite(.timeLimit(.minutes(2)))
struct ExampleRunTests {
    /// The commands, without the program, that need neither Kafka nor a hub nor someone at a keyboard.
    private static let alone: [[String]] = [
        ["lint"], ["render"], ["rehearse"], ["explain"], ["completion"], ["gateway", "user"], ["config", "show"],
    ]

    private static var examples: [HelpExample] {
        HelpExample.all.filter { example in
            let calls = example.calls
            guard !calls.isEmpty, !example.command.isEmpty else { return false }
            return calls.allSatisfy { call in
                alone.contains { call.starts(with: $0) } || call.contains("--dry-run") && !call.contains("--brokers")
            }
        }
    }

    private static let bash = "/bin/bash"

    private static func isInstalled(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Programs that an example calls beside ours.
    private static func needs(_ example: HelpExample) -> [String] {
        ShellWords.commands(in: example.line).compactMap(\.first).filter {
            !["newsflash", "source", "cat"].contains($0)
        }
    }

    @Test func `there are examples to run`() {
        #expect(Self.examples.count >= 20)
    }

    @Test(.enabled(if: access(bash, X_OK) == 0, "bash is not installed"), arguments: examples)
    func `each example does what it says`(example: HelpExample) async throws {
        // Its syntax is held by another test; without jq or fish there is nobody to read what it writes.
        guard Self.needs(example).allSatisfy(Self.isInstalled), !example.line.contains("zsh"),
            !example.line.contains("fish")
        else { return }
        let folder = try TemporaryFolder()
        try write(to: folder)
        let script = "cd '\(folder.path)' && set -o pipefail && PATH=\"$PWD:$PATH\" && { \(example.line)\n}"
        let process = try ChildProcess([Self.bash, "--norc", "-c", script], environment: TestProgram.environment)
        // Who asks for a password gets one.
        process.send("correct horse battery staple")
        process.endInput()
        let end = try await process.waitForEnd()
        let said = process.lines.events
        #expect(end == .exited(0), "\(said.joined(separator: "\n"))")
        #expect(!said.isEmpty || example.line.contains("source") || example.line.contains("jq"), "it says nothing")
    }

    /// The files that examples name.
    private func write(to folder: TemporaryFolder) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder.file("samples"), withIntermediateDirectories: true)
        let events = [SampleNewsroom.flash, SampleNewsroom.correction, SampleNewsroom.kill].joined(separator: "\n")
        let contents = [
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
