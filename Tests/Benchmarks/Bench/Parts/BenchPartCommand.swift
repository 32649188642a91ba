import NewsflashCommandLineArguments

/// `newsflash-bench part`: the processes that the bench starts. Each ends when its standard input is closed.
struct BenchPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "part",
        abstract: "Internal: a process started by 'newsflash-bench'.",
        shouldDisplay: false,
        subcommands: [SinkPart.self, ClusterPart.self, BarePart.self, WorkerPart.self]
    )
}
