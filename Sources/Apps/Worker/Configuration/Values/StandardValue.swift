import Publishing
import YAML

/// What holds for each key that nobody has set, taken from what was read: the reader alone says what its defaults are.
///
/// The order is that of the sections in `deploy/newsflash.yaml`. A test holds the list to the configuration's schema.
enum StandardValue {
    /// All keys that a configuration may have. Those of maps whose keys are the newsroom's stand as the map itself.
    ///
    /// - Parameters:
    ///   - configuration: What was read.
    ///   - document: The file, whose names of sources and hubs count.
    /// - Returns: Each key once.
    static func all(of configuration: WorkerConfiguration, given document: YAMLNode?) -> [ConfigurationValue] {
        var list = StandardValues()
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

/// The list while it is made.
struct StandardValues {
    private(set) var values: [ConfigurationValue] = []

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - key: Its path with dots between, for names that have none in them.
    ///   - text: What holds; `nil` where that is nothing.
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

    /// Adds a secret, which stands in no file of ours.
    mutating func addSecret(_ path: [String], from origin: ConfigurationValue.Origin) {
        values.append(ConfigurationValue(path, .hidden, origin))
    }
}

extension Duration {
    /// As the configuration writes it, in the largest unit that it is a whole number of.
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
    /// As the configuration writes a size.
    fileprivate var configuredBytes: String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where self >= 1 << shift && self % (1 << shift) == 0 {
            return "\(self >> shift)\(unit)"
        }
        return "\(self)"
    }
}
