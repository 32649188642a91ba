/// All keys of the configuration, in the order of `deploy/newsflash.yaml`.
///
/// The reference page, the sample and the schema are generated from it; `ConfigurationTests` compares them with the files.
package enum ConfigurationTable {
    /// Every mapping before its keys.
    package static let rows: [ConfigurationRow] =
        kafka + sources + fields + hubs + news + policy + delivery + gateway

    /// The keys without the mappings.
    package static let keys: [ConfigurationKey] = rows.compactMap { row in
        if case .key(let key) = row { key } else { nil }
    }

    private static let root = rows.reduce(into: ConfigurationTree()) { $0.insert($1) }

    /// Finds the row of a path.
    ///
    /// - Parameter path: The components of a key or mapping in a file.
    /// - Returns: `nil` if no row has the path, with any name in place of `*`.
    package static func row(at path: [String]) -> ConfigurationRow? { root.node(at: path[...])?.row }

    /// Finds a key.
    ///
    /// - Parameter path: The components of the key in a file.
    /// - Returns: `nil` if the path is that of a mapping or unknown.
    package static func key(at path: [String]) -> ConfigurationKey? {
        if case .key(let key) = row(at: path) { key } else { nil }
    }

    /// Finds the key of a value in a file.
    ///
    /// - Parameter path: The components of a key, of a part of its value, such as `text`, `kill` and `fr`, or of a map.
    /// - Returns: `nil` for an unknown path.
    package static func key(containing path: [String]) -> ConfigurationKey? {
        for end in stride(from: path.count, to: 0, by: -1) {
            if let key = key(at: Array(path[..<end])) { return key }
        }
        return key(at: path + ["*"])
    }

    /// Returns the names that a mapping may have.
    ///
    /// - Parameter path: The components of the mapping in a file; empty for the whole file.
    /// - Returns: The names in alphabetical order, `*` for any; `nil` if the path is not that of a mapping.
    package static func names(at path: [String]) -> [String]? {
        guard let node = root.node(at: path[...]), !node.children.isEmpty else { return nil }
        return node.children.keys.sorted()
    }

    /// The first components of the keys, in order.
    package static let sections: [String] = rows.reduce(into: []) { sections, row in
        if let section = row.path.first, sections.last != section { sections.append(section) }
    }
}
