import CommandLineArguments

/// `newsflash topics`
struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "topics", abstract: "Not made yet.")

    func run() async throws {}
}
