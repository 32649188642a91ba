/// One key of the configuration.
package struct ConfigurationKey: Sendable {
    /// When a change of the value takes effect.
    package enum Reload: String, Sendable {
        /// While the worker runs, after a comparison on the latest events: it decides who is notified of what.
        case rule
        /// While the worker runs, at once: it changes no decision on events.
        case setting
        /// At a start.
        case fixed
    }

    /// The value that is used if the key is absent.
    package enum Standard: Sendable, Equatable {
        /// The key has no value.
        case none
        /// A value as it would be written in the file.
        case value(String)
        /// A value that depends on other keys: the rule in words, and the value in a configuration that sets none of them.
        case derived(String, String? = nil)
        /// The key must be given wherever its section is.
        case required
    }

    /// The components of the key. `*` stands for a name that the newsroom chooses, such as that of a source.
    package let path: [String]
    package let type: ConfigurationValueType
    package let standard: Standard
    package let reload: Reload
    /// Whether the value is part of the digest that identifies the rules in force in outcomes.
    package let isInDigest: Bool
    /// Whether the value names a file or an environment variable with a secret. No value is a secret itself.
    package let namesSecret: Bool
    /// The meaning in plain text; the first sentence is enough for a comment in the sample.
    package let meaning: String
    /// Values for the sample, at least one.
    let examples: [ConfigurationExample]

    /// The key in the form `kafka.group`.
    package var name: String { path.joined(separator: ".") }

    /// Compares a path with this key, with any name in place of `*`.
    ///
    /// - Parameter path: The components of a key in a file, such as `sources`, `desk` and `topic`.
    /// - Returns: Whether the path is this key.
    package func isNamed(by path: [String]) -> Bool {
        path.count == self.path.count && zip(self.path, path).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

/// A mapping of the configuration that contains keys or other mappings.
package struct ConfigurationGroup: Sendable {
    package let path: [String]
    /// The meaning in plain text; completely in the sample.
    package let meaning: String
    /// Whether the sample has all keys in one line: `{ base: 250ms, cap: 30s }`.
    let isInline: Bool
    /// The name in `$defs` of the schema; `nil` for a mapping that is described at its place.
    let definition: String?
    /// The pattern of the names in place of `*`, for a map without other names.
    let pattern: String?
    /// The name in `$defs` of the form of the names in place of `*`.
    let names: String?
    /// Further members of the mapping's schema, as an object in JSON.
    let constraints: String?
}

/// One value of a key in the sample.
struct ConfigurationExample: Sendable {
    /// The names in place of `*`.
    let names: [String]
    /// YAML for one line.
    let value: String
    /// Whether the line is a comment.
    let isComment: Bool
}

/// One row of the table.
package enum ConfigurationRow: Sendable {
    case group(ConfigurationGroup)
    case key(ConfigurationKey)

    package var path: [String] {
        switch self {
        case .group(let group): group.path
        case .key(let key): key.path
        }
    }

    var meaning: String {
        switch self {
        case .group(let group): group.meaning
        case .key(let key): key.meaning
        }
    }
}

extension ConfigurationRow {
    /// Makes the row of a mapping.
    static func group(
        _ path: String,
        isInline: Bool = false,
        definition: String? = nil,
        pattern: String? = nil,
        names: String? = nil,
        constraints: String? = nil,
        _ meaning: String
    ) -> ConfigurationRow {
        .group(
            ConfigurationGroup(
                path: path.split(separator: ".").map(String.init),
                meaning: meaning,
                isInline: isInline,
                definition: definition,
                pattern: pattern,
                names: names,
                constraints: constraints
            )
        )
    }

    /// Makes the row of a key. Rules are in the digest.
    ///
    /// - Parameters:
    ///   - path: The components, joined by dots.
    ///   - type: The type of the value.
    ///   - standard: The default.
    ///   - reload: When a change takes effect.
    ///   - isInDigest: Whether a key that is not a rule is in the digest.
    ///   - namesSecret: Whether the value is the place of a secret.
    ///   - example: The value in the sample, if that is not the default.
    ///   - examples: The values in the sample, by the names in place of `*`, joined by slashes.
    ///   - further: More of them, which are comments in any case.
    ///   - isActive: Whether the sample has the key as a line and not as a comment.
    ///   - meaning: One or several sentences.
    /// - Returns: The row.
    static func key(
        _ path: String,
        _ type: ConfigurationValueType,
        standard: ConfigurationKey.Standard = .none,
        reload: ConfigurationKey.Reload = .fixed,
        isInDigest: Bool = false,
        namesSecret: Bool = false,
        example: String? = nil,
        examples: KeyValuePairs<String, String> = [:],
        further: KeyValuePairs<String, String> = [:],
        isActive: Bool = false,
        _ meaning: String
    ) -> ConfigurationRow {
        func sample(_ names: String, _ value: String, isComment: Bool) -> ConfigurationExample {
            let names = names.split(separator: "/").map(String.init)
            return ConfigurationExample(names: names, value: value, isComment: isComment)
        }
        var all = examples.map { sample($0.key, $0.value, isComment: !isActive) }
        if all.isEmpty {
            let value = if case .value(let value) = standard { example ?? value } else { example ?? "" }
            all.append(sample("", value, isComment: !isActive))
        }
        all += further.map { sample($0.key, $0.value, isComment: true) }
        return .key(
            ConfigurationKey(
                path: path.split(separator: ".").map(String.init),
                type: type,
                standard: standard,
                reload: reload,
                isInDigest: isInDigest || reload == .rule,
                namesSecret: namesSecret,
                meaning: meaning,
                examples: all
            )
        )
    }
}
