import CBench
import CommandLineArguments

/// `newsflash bench-part worker`: `newsflash run` that counts what the Swift runtime allocates.
///
/// Lines: any is answered with the count so far; `none` where the runtime does not let itself be watched.
struct WorkerPart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "'newsflash run' with its allocations counted."
    )

    @Option(help: ArgumentHelp("As for 'run'.", valueName: "file")) var config: String

    func run() async throws {
        let counts = cbench_count_allocations()
        guard let command = try RunCommand.parseAsRoot(["--config", config]) as? RunCommand else { return }
        async let lines: Void = PartLines.serve("ready") { _ in counts ? "\(cbench_allocations())" : "none" }
        try await command.run()
        _ = await lines
    }
}
