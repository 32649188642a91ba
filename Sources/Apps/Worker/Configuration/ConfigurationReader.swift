import NewsflashYAML

/// Parses a YAML file and the environment into a ``WorkerConfiguration``, and reports all problems at once.
package struct ConfigurationReader: Sendable {
    let environment: [String: String]

    /// Makes a reader.
    ///
    /// - Parameter environment: The variables. Each overrides one key: `NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS` overrides
    ///   `kafka.bootstrapServers`.
    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Reads a file.
    ///
    /// - Returns: The configuration and its warnings.
    /// - Throws: ``ConfigurationError`` with all problems.
    package func read(file path: String) throws(ConfigurationError) -> ReadConfiguration {
        try read(text: try content(of: path), source: path)
    }

    /// The text of a file.
    func content(of path: String) throws(ConfigurationError) -> String {
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try FileContent.read(path)
        } catch {
            let message = "the file cannot be read: \(error)"
            let problem = ConfigurationProblem(path: "", message: message, kind: .unreadable)
            throw ConfigurationError(source: path, problems: [problem])
        }
        do throws(ConfigurationProblem) {
            return try ConfigurationText.decode(bytes)
        } catch {
            throw ConfigurationError(source: path, problems: [error])
        }
    }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - source: Its name in errors.
    /// - Returns: The configuration and its warnings.
    /// - Throws: ``ConfigurationError`` with all problems.
    package func read(text: String, source: String) throws(ConfigurationError) -> ReadConfiguration {
        let root: YAMLNode?
        do {
            root = try YAMLReader.read(text)
        } catch {
            let problem = ConfigurationProblem(path: "", line: error.line, message: error.message)
            throw ConfigurationError(source: source, problems: [problem])
        }
        guard let root, !root.isNull else {
            let message = "the file has no keys; it needs version, hub or hubs, locales and categories"
            throw ConfigurationError(source: source, problems: [ConfigurationProblem(path: "", message: message)])
        }
        let context = ConfigurationContext(root, environment: environment)
        let section = context.root
        guard context.problems.isEmpty else { throw ConfigurationError(source: source, problems: context.problems) }
        section.check()
        let configuration = WorkerConfiguration(section)
        AmbiguousScalars.warn(of: root, in: context)
        context.finish()
        guard context.problems.isEmpty, let configuration else {
            throw ConfigurationError(source: source, problems: context.problems)
        }
        let values = [ConfigurationValue](of: root, context, configuration)
        return ReadConfiguration(
            configuration: configuration,
            warnings: context.warnings,
            values: values,
            variables: context.variables
        )
    }
}

/// A valid configuration.
package struct ReadConfiguration: Sendable {
    package var configuration: WorkerConfiguration
    /// Parts of the configuration that work but should be changed.
    package var warnings: [ConfigurationProblem]
    /// Every key with its value and the origin of the value.
    package var values: [ConfigurationValue]
    /// The environment variables that have, or would have, an effect on the configuration.
    package var variables: Set<String> = []
}
