import CommandLineArguments
import FoundationEssentials
import Observability
import Worker

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
    /// - Throws: ``CommandError`` with exit code 78 and every problem.
    func read() throws(CommandError) -> ReadConfiguration {
        do throws(ConfigurationError) {
            return try result().get()
        } catch {
            throw CommandError(.badConfiguration, error.description)
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

/// Environment variables that begin with NEWSFLASH_ and have no effect, such as misspelt ones.
struct UnknownVariables {
    /// Our variables that are not keys of the configuration.
    private static let others: Set<String> = [
        "NEWSFLASH_CONFIG", "NEWSFLASH_VERSION", "NEWSFLASH_REVISION", "NEWSFLASH_URL", "NEWSFLASH_LONG",
        "NEWSFLASH_SEED",
        "NEWSFLASH_PROGRAM", "NEWSFLASH_SHARED",
    ]
    /// The prefixes of variables for tests.
    private static let otherPrefixes = ["NEWSFLASH_FUZZ_", "NEWSFLASH_CHAOS", "NEWSFLASH_KILLS"]

    /// The prefixes of sections with keys of the newsroom. Only keys in the file have variables.
    private static let maps = [
        "NEWSFLASH_CATEGORIES_", "NEWSFLASH_HUBS_", "NEWSFLASH_KAFKA_PROPERTIES_", "NEWSFLASH_NARROWER_",
        "NEWSFLASH_SEND_PROPERTIES_", "NEWSFLASH_SOURCES_",
    ]

    private let names: [String]
    private let known: Set<String>

    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - known: The variables of the configuration's keys.
    init(_ environment: [String: String], known: Set<String>) {
        names = environment.keys.filter { $0.uppercased().hasPrefix("NEWSFLASH_") }.sorted()
        self.known = known
    }

    /// A warning for each variable, with the most similar known one.
    var warnings: [ConfigurationProblem] {
        names.filter { !known.contains($0) && !isOfOthers($0) }.map { name in
            let near =
                suggestion(for: name, among: known.sorted()).map { ". Did you mean \($0)?" }
                ?? (Self.maps.contains { name.hasPrefix($0) } ? ". Write the key into the file first" : "")
            return ConfigurationProblem(
                path: name.harmless,
                message: "the variable has no effect, because this configuration has no such key\(near)"
            )
        }
    }

    /// Whether a variable has another meaning. Kubernetes, for example, makes variables for each service of a namespace, such
    /// as `NEWSFLASH_GATEWAY_SERVICE_HOST` and `NEWSFLASH_PORT_9464_TCP`.
    private func isOfOthers(_ name: String) -> Bool {
        Self.others.contains(name) || Self.otherPrefixes.contains { name.hasPrefix($0) }
            || name.contains("_SERVICE_HOST") || name.contains("_SERVICE_PORT") || name.hasSuffix("_PORT")
            || name.contains("_PORT_")
    }
}
