import CommandLineArguments
import FoundationEssentials
import Worker

/// `--config`, `--brokers` and `--topic`, for commands to which the topic of events matters.
struct TopicOptions: ParsableArguments {
    @OptionGroup var cluster: ClusterOptions

    @Option(help: "The topic of events, in place of the configuration's.")
    var topic: String?

    /// The file of the configuration, and the brokers in place of its own.
    var config: String? { cluster.config }
    var brokers: String? { cluster.brokers }

    func validate() throws {
        if let topic, !TopicNames.isTopicName(topic) {
            throw ValidationError("'--topic' takes 1 to 249 letters, digits, dots, - and _ of ASCII.")
        }
    }

    /// Reads brokers, topics and sources as ``ClusterOptions`` does.
    ///
    /// - Returns: The settings, with those of the options.
    /// - Throws: ``CommandError`` with exit code 78 and every problem that concerns the command.
    func read(
        source: String? = nil,
        formats: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        note: (String) -> Void = StandardError.write
    ) throws(CommandError) -> TopicSettings {
        var settings = try cluster.read(source: source, formats: formats, environment: environment, note: note)
        if let topic { settings.read(topic) }
        return settings
    }

    /// Reads the worker's whole configuration as ``ClusterOptions`` does.
    func readWorker() throws(CommandError) -> WorkerConfiguration? { try cluster.readWorker() }
}
