import FoundationEssentials
import NewsflashCommandLineArguments
package import NewsflashWorker

/// Environment variables that begin with NEWSFLASH_ and have no effect, such as misspelt ones.
package struct UnknownVariables {
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
    package init(_ environment: [String: String], known: Set<String>) {
        names = environment.keys.filter { $0.uppercased().hasPrefix("NEWSFLASH_") }.sorted()
        self.known = known
    }

    /// A warning for each variable, with the most similar known one.
    package var warnings: [ConfigurationProblem] {
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
