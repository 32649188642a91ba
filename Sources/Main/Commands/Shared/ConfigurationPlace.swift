import CommandLineArguments
import FoundationEssentials
import Worker

/// The place of the configuration file.
enum ConfigurationPlace {
    /// The variable that names the file if no option does.
    static let variable = "NEWSFLASH_CONFIG"
    /// The places to look at if nobody names one.
    static let usual = ["newsflash.yaml", "/etc/newsflash/newsflash.yaml"]
    /// The sentence for help texts.
    static let help = "left out, NEWSFLASH_CONFIG, ./newsflash.yaml or /etc/newsflash/newsflash.yaml"

    /// The file to read.
    ///
    /// - Parameters:
    ///   - named: By the option.
    ///   - environment: Of the process.
    ///   - usual: The places to look at.
    /// - Returns: The first that is named; otherwise the first place with a file; otherwise `nil`.
    static func find(
        _ named: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        usual: [String] = usual
    ) -> String? {
        if let named { return named }
        if let file = environment[variable], !file.isEmpty { return file }
        return usual.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The error if no file is found.
    static var missing: ConfigurationError {
        let places = usual.joined(separator: " nor ")
        let message = "there is neither \(places); name the configuration with '--config' or \(variable)"
        return ConfigurationError(
            source: "no configuration",
            problems: [ConfigurationProblem(path: "", message: message)]
        )
    }
}

extension ConfigurationProblem {
    /// Keys of `kafka` that concern only consumers of events.
    private static let ofConsumers = ["assignment", "startAt", "sessionTimeout", "instance"]

    /// Whether this may be a wrong broker, group, topic or name of a source.
    ///
    /// - Parameter formats: Whether the formats of sources matter too.
    /// - Returns: Whether a command that works with Kafka alone must not go on.
    func concernsTopics(formats: Bool) -> Bool {
        let keys = path.split(separator: ".").map(String.init)
        guard let section = keys.first, let last = keys.last else { return false }
        switch section {
        case "kafka": return keys.count == 1 || !Self.ofConsumers.contains(keys[1])
        case "topics": return true
        case "ledger": return keys.count == 1 || keys[1] == "use"
        case "sources":
            // A misspelt 'topic' leaves the topic of the default.
            return formats || keys.count <= 2 || suggestion(for: last, among: ["topic", "id"]) != nil
        default: return isUnknownKey && suggestion(for: section, among: ["kafka", "topics", "sources"]) != nil
        }
    }

    private var isUnknownKey: Bool { message.hasPrefix("is no key of this section") }
}
