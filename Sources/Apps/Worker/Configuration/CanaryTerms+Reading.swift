import Publishing

extension CanaryTerms {
    /// Reads `reload`: the conditions under which a configuration that is read again replaces the one in force.
    init(_ section: ConfigurationSection) {
        self.init()
        events = section.integer("canary", in: 0...Self.mostEvents) ?? events
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
            if let limit = most.integer(kind.rawValue, in: 0...ControlOrderCodec.mostEvents) { limits[kind] = limit }
        }
    }
}
