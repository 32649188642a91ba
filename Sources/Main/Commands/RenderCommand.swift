import CommandLineArguments

/// `newsflash render`
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "render", abstract: "Not made yet.")

    func run() async throws {}
}
