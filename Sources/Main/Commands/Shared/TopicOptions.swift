import CommandLineArguments
import FoundationEssentials
import Worker

/// `--config`, `--brokers` and `--topic`, for commands to which Kafka is all that matters.
struct TopicOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration, a YAML file; left out, newsflash.yaml, or with --brokers none. NEWSFLASH_… variables "
                + "override its keys.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Where Kafka is, in place of kafka.bootstrapServers.", valueName: "host:port,…"))
    var brokers: String?

    @Option(help: "The topic of events, in place of the configuration's.")
    var topic: String?

    func validate() throws {
        if let brokers, !brokers.contains(where: { $0 != "," && !$0.isWhitespace }) {
            throw ValidationError("'--brokers' is empty: name at least one broker as host:port.")
        }
        if let topic, !TopicNames.isTopicName(topic) {
            throw ValidationError("'--topic' takes 1 to 249 letters, digits, dots, - and _ of ASCII.")
        }
    }

    /// Reads the file, where there is one to read, and the environment.
    ///
    /// - Parameters:
    ///   - source: The name of the one source that matters; `nil` for all.
    ///   - environment: Of the process.
    /// - Returns: What they and the options say.
    /// - Throws: ``CommandError`` with exit code 78 and every problem.
    func read(
        source: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) -> TopicSettings {
        var environment = environment
        if let brokers { environment["NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS"] = brokers }
        let reader = ConfigurationReader(environment: environment)
        var settings: TopicSettings
        do throws(ConfigurationError) {
            settings =
                if config == nil, brokers != nil {
                    try reader.readTopics()
                } else {
                    TopicSettings(try reader.read(file: config ?? "newsflash.yaml").configuration)
                }
        } catch {
            throw CommandError(.badConfiguration, error.description)
        }
        if let source {
            let place = config ?? (brokers == nil ? "newsflash.yaml" : "the environment")
            settings.sources = [try settings.sources.named(source, in: place)]
        }
        if let topic { settings.read(topic) }
        return settings
    }

    /// Reads the worker's whole configuration, for commands that work out what it would do.
    ///
    /// - Parameter environment: Of the process.
    /// - Returns: Nothing where only brokers were named, so that there is no configuration.
    /// - Throws: ``CommandError`` with exit code 78 and every problem.
    func readWorker(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) -> WorkerConfiguration? {
        guard config != nil || brokers == nil else { return nil }
        var environment = environment
        if let brokers { environment["NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS"] = brokers }
        do throws(ConfigurationError) {
            return try ConfigurationReader(environment: environment).read(file: config ?? "newsflash.yaml")
                .configuration
        } catch {
            throw CommandError(.badConfiguration, error.description)
        }
    }
}
