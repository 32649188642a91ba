import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashWorker

/// `--config` and `--brokers`, for commands that need brokers, topics and sources only.
///
/// Problems in the rest of the file do not stop these commands, because a bad configuration may be the cause of an incident.
struct ClusterOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: ArgumentHelp(
            "The configuration, a YAML file; \(ConfigurationPlace.help), with --brokers none. NEWSFLASH_… variables "
                + "override its keys.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("The brokers, instead of kafka.bootstrapServers.", valueName: "host:port,…"))
    var brokers: String?

    func validate() throws {
        if let brokers, !brokers.contains(where: { $0 != "," && !$0.isWhitespace }) {
            throw ValidationError("'--brokers' is empty: name at least one broker as host:port.")
        }
    }

    /// Reads brokers, topics and sources from the file, if there is one to read, and from the environment.
    ///
    /// Problems of other sections are only counted, in one line on the standard error.
    ///
    /// - Parameters:
    ///   - source: The name of the only source to keep; `nil` for all.
    ///   - formats: Whether the command reads or writes events, so that the formats of sources matter.
    ///   - environment: The environment of the process.
    ///   - note: Prints the line.
    /// - Returns: The settings, with the values of the options.
    /// - Throws: ``OperationError`` with exit code 78 and every problem that concerns the command.
    func read(
        source: String? = nil,
        formats: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        note: (String) -> Void = StandardError.write
    ) throws(OperationError) -> TopicSettings {
        var file: String?
        let reader = ConfigurationReader(environment: overridden(environment))
        var read: ReadTopics
        if config == nil, brokers != nil {
            read = reader.readTopics()
        } else {
            do throws(ConfigurationError) {
                guard let found = ConfigurationPlace.find(config, environment: environment) else {
                    throw ConfigurationPlace.missing
                }
                file = found
                read = try reader.readTopics(file: found)
            } catch {
                throw OperationError(.badConfiguration, "\(error)\nOr name the brokers with '--brokers'.")
            }
        }
        let place = file ?? "the environment"
        let problems = read.problems.filter { file == nil || $0.concernsTopics(formats: formats) }
        guard problems.isEmpty else {
            throw OperationError(.badConfiguration, ConfigurationError(source: place, problems: problems).description)
        }
        if !read.problems.isEmpty {
            let count = counted(read.problems.count, "problem")
            let form = read.problems.count == 1 ? "that does" : "that do"
            note("\(place) has \(count) \(form) not concern this command; see 'newsflash lint'")
        }
        read.settings.isGroupKnown = file != nil || environment["NEWSFLASH_KAFKA_GROUP"] != nil
        if let source { read.settings.sources = [try read.settings.sources.named(source, in: place)] }
        return read.settings
    }

    /// Reads the worker's whole configuration, for commands that forecast what it would do.
    ///
    /// - Parameters:
    ///   - unknown: The subject of the line about problems, such as `the digest of the file`.
    ///   - environment: The environment of the process.
    ///   - note: Prints the line.
    /// - Returns: The configuration; `nil` if only `--brokers` is given, or if it has problems, which are counted in one line
    ///   on the standard error.
    func readWorker(
        unknown: String = "what would happen now",
        environment: [String: String] = ProcessInfo.processInfo.environment,
        note: (String) -> Void = StandardError.write
    ) -> WorkerConfiguration? {
        guard config != nil || brokers == nil,
            let file = ConfigurationPlace.find(config, environment: environment)
        else { return nil }
        do throws(ConfigurationError) {
            return try ConfigurationReader(environment: overridden(environment)).read(file: file).configuration
        } catch {
            let count = counted(error.problems.count, "problem")
            note("note: \(file) has \(count), so \(unknown) is not known; see 'newsflash lint'")
            return nil
        }
    }

    private func overridden(_ environment: [String: String]) -> [String: String] {
        guard let brokers else { return environment }
        return environment.merging(["NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS": brokers]) { $1 }
    }
}

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
    /// - Throws: ``OperationError`` with exit code 78 and every problem that concerns the command.
    func read(
        source: String? = nil,
        formats: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        note: (String) -> Void = StandardError.write
    ) throws(OperationError) -> TopicSettings {
        var settings = try cluster.read(source: source, formats: formats, environment: environment, note: note)
        if let topic { settings.read(topic) }
        return settings
    }

    /// Reads the worker's whole configuration as ``ClusterOptions`` does.
    func readWorker() -> WorkerConfiguration? { cluster.readWorker() }
}
