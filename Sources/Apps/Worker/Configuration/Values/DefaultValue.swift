import NewsflashConfiguration
import NewsflashCurlTransport
import NewsflashEvents
import NewsflashKafka
import NewsflashPlanning
import NewsflashPublishing
import NewsflashRendering
import NewsflashYAML

/// The defaults of all keys, from the table of keys. A default that depends on other keys is taken from the configuration.
enum DefaultValue {
    /// All keys that a configuration may have, in the order of the table. A map with names chosen by the newsroom, and the
    /// rules of a feed, are one key.
    ///
    /// - Parameters:
    ///   - configuration: The parsed configuration.
    ///   - document: The file, which has either `hub` or `hubs`.
    /// - Returns: Each key once.
    static func all(of configuration: WorkerConfiguration, given document: YAMLNode?) -> [ConfigurationValue] {
        var values: [ConfigurationValue] = []
        func add(_ keys: [ConfigurationKey], name: String = "", in group: [String: String]) {
            for key in keys {
                for path in paths(of: key, name: name, group) where values.last?.path != path {
                    let text = group[path.joined(separator: ".")] ?? key.standardText
                    values.append(ConfigurationValue(path, text.map { .text($0) } ?? .none, .standard))
                }
            }
        }
        let isShort = document?.member("hub") != nil || document?.member("hubs") == nil
        for section in ConfigurationTable.sections {
            let keys = ConfigurationTable.keys.filter { $0.path.first == section }
            switch section {
            case "sources":
                for source in configuration.sources {
                    add(keys.filter { source.has($0) }, name: source.name, in: source.dependentDefaults)
                }
            case "hub": if isShort { add(keys, in: [:]) }
            case "hubs":
                for hub in configuration.hubs {
                    if !isShort { add(keys, name: hub.label, in: hub.dependentDefaults) }
                    values.append(hub.secret)
                }
            default: add(keys, in: configuration.dependentDefaults)
            }
        }
        return values
    }

    /// The paths of a key in the list.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - name: The name of a source or hub.
    ///   - defaults: Dependent defaults; a map may have several.
    /// - Returns: One path, or that of each name of a map with defaults.
    private static func paths(of key: ConfigurationKey, name: String, _ defaults: [String: String]) -> [[String]] {
        var path = key.path
        if let star = path.firstIndex(of: "*"), star == 1, !name.isEmpty { path[star] = name }
        if path.contains("fields") { return [Array(path.prefix(3))] }
        guard path.last == "*" else { return [path] }
        let map = Array(path.dropLast())
        let prefix = map.joined(separator: ".") + "."
        let names = defaults.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
        return names.isEmpty ? [map] : names.map { map + [$0] }
    }
}

extension ConfigurationKey {
    /// The default if no other key is set. Durations have the largest unit that divides them.
    fileprivate var standardText: String? {
        switch standard {
        case .value(let text), .derived(_, let text?):
            switch type.form {
            case .duration: Duration(configured: text)?.configured ?? text
            case .size: text.replacing(" ", with: "")
            case .text, .number, .rate, .list: text
            }
        case .none, .required, .derived(_, nil): nil
        }
    }
}

extension WorkerConfiguration {
    /// Defaults that depend on other keys, by key.
    fileprivate var dependentDefaults: [String: String] {
        let isEncrypted =
            switch kafka.security {
            case .plaintext, .sasl(_, tls: nil): false
            case .tls, .sasl: true
            }
        var defaults = [
            "kafka.tls": isEncrypted ? "true" : "false",
            "policy.maximumLife": publishing.policy.maximumLife.configured,
            "delivery.expressReserve": "\(publishing.limits.expressReserve)",
            "delivery.connections": "\(transport.maximumConnectionsPerHost)",
            "delivery.connectTimeout": transport.connectTimeout.configured,
            "delivery.firstByteTimeout": transport.firstByteTimeout.configured,
            "delivery.requestTimeout": transport.requestTimeout.configured,
            "topics.ledger": sources.map(\.ledger).joined(separator: ", "),
            "topics.control": topics.control,
        ]
        for urgency in InterruptionLevels.urgencies {
            defaults["interruption.\(urgency)"] = news.interruption[urgency].rawValue
        }
        return defaults
    }
}

extension SourceSettings {
    /// Whether the format of this source has a key.
    fileprivate func has(_ key: ConfigurationKey) -> Bool {
        switch (format, key.path[2]) {
        case (_, "topic"), (_, "format"), (_, "id"), (_, "maximumBytes"), (_, "mode"): true
        case (.event, _): false
        case (.fields, let name): !["story", "schemes", "categories", "headline", "status", "timeZone"].contains(name)
        case (_, let name): name != "fields"
        }
    }

    /// Defaults that depend on the name and format of the source, by key.
    fileprivate var dependentDefaults: [String: String] {
        var defaults = [
            "id": id, "maximumBytes": "\(maximumBytes ?? format.usualMaximumBytes)",
            "revision": rules.revision?.rawValue ?? format.usualRevision.rawValue,
            "push.type": rules.push.types.sorted().joined(separator: ", "),
        ]
        for (urgency, kind) in rules.kinds { defaults["kinds.\(urgency)"] = kind.rawValue }
        return Dictionary(uniqueKeysWithValues: defaults.map { ("sources.\(name).\($0.key)", $0.value) })
    }
}

extension HubSettings {
    /// Defaults that depend on the key of the hub, by key. The keys of `send` are filled in after all keys are known.
    fileprivate var dependentDefaults: [String: String] { ["hubs.\(label).mode": mode.rawValue] }

    /// The place of the connection string, which is not in the file.
    fileprivate var secret: ConfigurationValue {
        let path = ["hubs", label, "connectionString"]
        return switch credentials {
        case .file(let file): ConfigurationValue(path, .hidden, .secretFile(file))
        case .variable(let name, _): ConfigurationValue(path, .hidden, .variable(name))
        case nil: ConfigurationValue(path, .none, .standard)
        }
    }
}

extension YAMLNode {
    /// The value of a key; `nil` if this is not a mapping or does not contain the key.
    fileprivate func member(_ key: String) -> YAMLNode? {
        guard case .mapping(let entries) = kind else { return nil }
        return entries.first { $0.key.scalarText == key }?.value
    }
}

extension Duration {
    /// The duration as written in a configuration, in the largest unit that divides it.
    var configured: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)] as [(String, Int64)]
        where milliseconds >= length && milliseconds % length == 0 {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
