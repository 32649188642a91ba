import CommandLineArguments

/// `newsflash demo`
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "demo", abstract: "Not made yet.")

    func run() async throws {}
}
