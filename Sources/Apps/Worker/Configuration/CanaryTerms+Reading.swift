import NewsflashPublishing

extension CanaryTerms {
    /// Reads `reload`: the conditions under which a configuration that is read again replaces the one in force.
    init(_ section: ConfigurationSection) {
        self.init()
        events = section.integer("canary")
        for word in section.texts("announce") ?? [] {
            guard let kind = Self.kinds.first(where: { $0.rawValue == word }) else {
                let kinds = Self.kinds.map(\.rawValue).joined(separator: ", ")
                section.report("announce", "'\(word)' is not one of: \(kinds)")
                continue
            }
            announced.insert(kind)
        }
        let most = section.section("limits")
        for kind in Self.kinds {
            let limit = most.integer(kind.rawValue)
            if limit > 0 { limits[kind] = limit }
        }
    }
}
