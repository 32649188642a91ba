import Publishing
import YAML

/// The defaults of all keys, taken from the parsed configuration, so that only the parsing code defines them.
///
/// The order is that of the sections in `deploy/newsflash.yaml`. A test compares the list with the configuration's schema.
enum DefaultValue {
    /// All keys that a configuration may have. A map with keys chosen by the newsroom is listed as one key.
    ///
    /// - Parameters:
    ///   - configuration: The parsed configuration.
    ///   - document: The file, for the names of sources and hubs.
    /// - Returns: Each key once.
    static func all(of configuration: WorkerConfiguration, given document: YAMLNode?) -> [ConfigurationValue] {
        var list = DefaultValues()
        list.add("version", "1")
        list.addKafka(configuration)
        list.addSources(configuration)
        list.addHubs(configuration, document)
        list.addNews(configuration, document)
        list.addPolicy(configuration.publishing.policy)
        list.addDelivery(configuration)
        list.addRest(configuration)
        return list.values
    }
}

/// The list of defaults under construction.
struct DefaultValues {
    private(set) var values: [ConfigurationValue] = []

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - key: The path, separated by dots, if no component contains a dot.
    ///   - text: The default; `nil` if the key has none.
    mutating func add(_ key: String, _ text: String?) {
        add(key.split(separator: ".").map(String.init), text)
    }

    mutating func add(_ path: [String], _ text: String?) {
        values.append(ConfigurationValue(path, text.map { .text($0) } ?? .none, .standard))
    }

    mutating func add(_ key: String, _ number: Int) { add(key, "\(number)") }

    mutating func add(_ key: String, _ flag: Bool) { add(key, flag ? "true" : "false") }

    mutating func add(_ key: String, _ duration: Duration) { add(key, duration.configured) }

    mutating func add(_ key: String, bytes: Int) { add(key, bytes.configuredBytes) }

    mutating func add(_ keys: [String], in section: String) {
        for key in keys { add("\(section).\(key)", nil) }
    }

    /// Adds a secret, which is not in the configuration file.
    mutating func addSecret(_ path: [String], from origin: ConfigurationValue.Origin) {
        values.append(ConfigurationValue(path, .hidden, origin))
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

extension Int {
    /// The size as written in a configuration.
    fileprivate var configuredBytes: String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where self >= 1 << shift && self % (1 << shift) == 0 {
            return "\(self >> shift)\(unit)"
        }
        return "\(self)"
    }
}
