import CNewsflashBench
import NewsflashCommandLineArguments
import NewsflashCommands
import NewsflashOperations

/// `newsflash-bench part worker`: `newsflash run` with counting of the Swift runtime's allocations.
///
/// Lines: any line is answered with the current count, or `none` if the runtime does not support counting.
struct WorkerPart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "'newsflash run' with counted allocations."
    )

    @Option(help: ArgumentHelp("The configuration, as for 'run'.", valueName: "file")) var config: String

    func run() async throws {
        let counts = cbench_count_allocations()
        let words = ["run", "--config", config]
        guard var command = try Newsflash.parseAsRoot(words) as? any AsyncParsableCommand else { return }
        async let lines: Void = PartLines.serve("ready") { _ in counts ? "\(cbench_allocations())" : "none" }
        try await command.run()
        _ = await lines
    }
}
