import CommandLineArguments
import FoundationEssentials
import Worker

/// `--config`, `--brokers` and `--topic`, for commands that use the topic of events.
struct TopicOptions: ParsableArguments {
    @OptionGroup var cluster: ClusterOptions

    @Option(help: "The topic of events, instead of that in the configuration.")
    var topic: String?

    /// The file of `--config`.
    var config: String? { cluster.config }
    var brokers: String? { cluster.brokers }

    func validate() throws {
        if let topic, !TopicNames.isTopicName(topic) {
            throw ValidationError("'--topic' takes 1 to 249 ASCII letters, digits and . - _ characters.")
        }
    }

    /// Reads brokers, topics and sources as ``ClusterOptions`` does.
    ///
    /// - Returns: The settings, with the values of the options.
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
