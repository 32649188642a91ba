import CommandLineArguments

/// `newsflash hub`
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hub", abstract: "Not made yet.")

    func run() async throws {}
}
