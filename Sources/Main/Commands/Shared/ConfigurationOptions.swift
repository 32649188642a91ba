import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashObservability
import NewsflashOperations
import NewsflashWorker

/// `--config`, for every command that needs a configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration, a YAML file; \(ConfigurationPlace.help). NEWSFLASH_… variables override its keys.",
            valueName: "file"
        )
    )
    var config: String?

    /// The file to read, also as its name in messages.
    var file: String { ConfigurationPlace.find(config) ?? "newsflash.yaml" }

    /// Reads the file and the environment.
    ///
    /// - Throws: ``OperationError`` with exit code 78 and every problem.
    func read() throws(OperationError) -> ReadConfiguration {
        do throws(ConfigurationError) {
            return try result().get()
        } catch {
            throw OperationError(.badConfiguration, error.description)
        }
    }

    /// The source from which a running process reads the configuration again.
    ///
    /// - Parameter read: The configuration at the start.
    /// - Returns: A source that reads the same file and the environment of this process.
    func source(of read: ReadConfiguration) -> ConfigurationSource {
        let reader = ConfigurationReader(environment: ProcessInfo.processInfo.environment)
        return ConfigurationSource(read) { [file] () throws(ConfigurationError) in try reader.read(file: file) }
    }

    /// Reads the file and the environment, and returns problems instead of throwing them.
    func result() -> Result<ReadConfiguration, ConfigurationError> {
        let environment = ProcessInfo.processInfo.environment
        let reader = ConfigurationReader(environment: environment)
        do throws(ConfigurationError) {
            guard let file = ConfigurationPlace.find(config) else { throw ConfigurationPlace.missing }
            var read = try reader.read(file: file)
            read.warnings += UnknownVariables(environment, known: read.variables).warnings
            return .success(read)
        } catch {
            return .failure(error)
        }
    }
}

extension LogSettings {
    /// A logger with these settings that writes to the standard error.
    var logger: Logger {
        let handler: any LogHandler =
            switch format {
            case .text: TextLogHandler()
            case .json: JSONLogHandler()
            }
        return Logger(label: "newsflash", level: level, handler: handler)
    }
}
