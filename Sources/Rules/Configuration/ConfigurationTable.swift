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

    /// The first components of the keys, in order.
    static let sections: [String] = rows.reduce(into: []) { sections, row in
        if let section = row.path.first, sections.last != section { sections.append(section) }
    }
}
