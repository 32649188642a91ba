import CommandLineArguments
import FoundationEssentials
import StructuredLog
import Worker

/// `--config`, for every command that needs a configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration, a YAML file. NEWSFLASH_… variables override its keys.",
            valueName: "file"
        )
    )
    var config: String = "newsflash.yaml"

    /// Reads the file and the environment.
    ///
    /// - Throws: ``CommandError`` with exit code 78 and every problem.
    func read() throws(CommandError) -> ReadConfiguration {
        do {
            return try ConfigurationReader(environment: ProcessInfo.processInfo.environment).read(file: config)
        } catch {
            throw CommandError(.badConfiguration, error.description)
        }
    }
}

extension LogSettings {
    /// The logger that writes what the settings ask for to the standard error.
    var logger: Logger {
        let handler: any LogHandler =
            switch format {
            case .text: TextLogHandler()
            case .json: JSONLogHandler()
            }
        return Logger(label: "newsflash", level: level, handler: handler)
    }
}
