import CommandLineArguments

/// `newsflash lint`
struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "lint", abstract: "Not made yet.")

    func run() async throws {}
}
