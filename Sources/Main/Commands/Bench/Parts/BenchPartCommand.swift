import CommandLineArguments

/// `newsflash bench-part`: what `bench` starts as processes of their own. Each ends with its standard input.
struct BenchPartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-part",
        abstract: "A process of 'newsflash bench', which starts it; of no use by itself.",
        shouldDisplay: false,
        subcommands: [SinkPart.self, ClusterPart.self, BarePart.self, WorkerPart.self]
    )
}
