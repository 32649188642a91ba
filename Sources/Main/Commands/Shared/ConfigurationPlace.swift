import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashWorker

/// The place of the configuration file.
enum ConfigurationPlace {
    /// The variable that names the file if no option does.
    static let variable = "NEWSFLASH_CONFIG"
    /// The default places.
    static let usual = ["newsflash.yaml", "/etc/newsflash/newsflash.yaml"]
    /// The sentence for help texts.
    static let help = "default: NEWSFLASH_CONFIG, ./newsflash.yaml or /etc/newsflash/newsflash.yaml"

    /// The file to read.
    ///
    /// - Parameters:
    ///   - named: The file of the option.
    ///   - environment: The environment of the process.
    ///   - usual: The default places.
    /// - Returns: The file of the option or of the variable; otherwise the first default place with a file; otherwise `nil`.
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
            problems: [ConfigurationProblem(path: "", message: message, kind: .unreadable)]
        )
    }
}

extension ConfigurationProblem {
    /// Keys of `kafka` that concern only consumers of events.
    private static let ofConsumers = ["assignment", "startAt", "sessionTimeout", "instance"]

    /// Whether the problem may cause a wrong broker, group, topic or source name.
    ///
    /// - Parameter formats: Whether the formats of sources matter, too.
    /// - Returns: Whether a command that needs only Kafka must fail.
    func concernsTopics(formats: Bool) -> Bool {
        let keys = path.split(separator: ".").map(String.init)
        guard let section = keys.first, let last = keys.last else { return false }
        switch section {
        case "kafka": return keys.count == 1 || !Self.ofConsumers.contains(keys[1])
        case "topics": return true
        case "ledger": return keys.count == 1 || keys[1] == "use"
        case "sources":
            // With a misspelt 'topic' the source would have the default topic.
            return formats || keys.count <= 2 || suggestion(for: last, among: ["topic", "id"]) != nil
        default: return kind == .unknownKey && suggestion(for: section, among: ["kafka", "topics", "sources"]) != nil
        }
    }
}
