package import NewsflashHTTPServer
import NewsflashYAML

/// The part of a configuration for commands that use only Kafka. It is read even if the rest has problems.
package struct ReadTopics: Sendable {
    /// The settings, with defaults for values that cannot be read.
    package var settings: TopicSettings
    /// The address of a worker's admin port; `nil` if it has none.
    package var admin: ListenAddress?
    /// All problems of the configuration.
    package var problems: [ConfigurationProblem]
}

extension ConfigurationReader {
    /// Reads what a file and the environment contain about Kafka and its topics.
    ///
    /// - Returns: The settings, and all problems of the file.
    /// - Throws: ``ConfigurationError`` if the file cannot be read, or if its sections `kafka`, `topics` or `sources` are not
    ///   valid YAML.
    package func readTopics(file path: String) throws(ConfigurationError) -> ReadTopics {
        try readTopics(text: try content(of: path), source: path)
    }

    /// Reads what a text and the environment contain about Kafka and its topics.
    ///
    /// - Returns: The settings, and all problems of the text.
    /// - Throws: ``ConfigurationError`` if the sections `kafka`, `topics` or `sources` are not valid YAML.
    package func readTopics(text: String, source: String) throws(ConfigurationError) -> ReadTopics {
        let root: YAMLNode?
        var syntax: ConfigurationProblem?
        do throws(YAMLError) {
            root = try YAMLReader.read(text)
        } catch {
            let problem = ConfigurationProblem(path: "", line: error.line, message: error.message)
            guard let sections = readableSections(of: text) else {
                throw ConfigurationError(source: source, problems: [problem])
            }
            root = sections
            syntax = problem
        }
        var read = readTopics(root)
        let whole = ConfigurationContext(root, environment: environment)
        let section = whole.root
        guard whole.problems.isEmpty else { throw ConfigurationError(source: source, problems: whole.problems) }
        section.check()
        _ = WorkerConfiguration(section)
        whole.finish()
        read.problems = whole.problems
        if let syntax {
            // Skipped sections are not reported as missing.
            read.problems =
                [syntax]
                + whole.problems.filter { problem in
                    Self.needed.contains { problem.path.hasPrefix($0 + ".") }
                }
        }
        return read
    }

    /// Reads the settings of Kafka and its topics from the environment alone; all others have their defaults.
    package func readTopics() -> ReadTopics { readTopics(nil) }

    private func readTopics(_ root: YAMLNode?) -> ReadTopics {
        let context = ConfigurationContext(root, environment: environment)
        let section = context.root
        let settings = TopicSettings(section)
        let admin = ListenAddress.admin(section.section("admin"))
        return ReadTopics(settings: settings, admin: admin, problems: context.problems)
    }

    // MARK: A file that is not YAML as a whole

    /// Sections that are needed to know anything about Kafka.
    private static let needed = ["kafka", "topics", "sources"]

    /// Reads each section separately: a missing bracket in `text` does not hide `kafka`.
    ///
    /// - Returns: The readable sections; `nil` if a needed section is not readable, or if the brokers are not named.
    private func readableSections(of text: String) -> YAMLNode? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var key: Substring?
        let keys = lines.map { line -> Substring? in
            if let first = line.first, first.isLetter, let colon = line.firstIndex(of: ":") { key = line[..<colon] }
            return key
        }
        func part(_ names: [String]) -> String {
            // Empty lines replace the other sections, so that line numbers stay right.
            zip(lines, keys).map { line, key in key.map { names.contains(String($0)) } ?? false ? line : "" }
                .joined(separator: "\n")
        }
        guard keys.contains("kafka") || environment["NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS"] != nil else { return nil }
        let names = (Self.needed + ["ledger", "admin"]).filter { (try? YAMLReader.read(part([$0]))) != nil }
        guard Set(names).isSuperset(of: Self.needed.filter { name in keys.contains { $0 == name[...] } }) else {
            return nil
        }
        return (try? YAMLReader.read(part(names))) ?? nil
    }
}
