import CommandLineArguments

/// `newsflash publish`
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "publish", abstract: "Not made yet.")

    func run() async throws {}
}
