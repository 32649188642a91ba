import NewsflashConfiguration

/// The consequence of a configuration that was read again, compared with the one in force.
enum ReloadPlan: Sendable {
    /// It is the same.
    case unchanged
    /// A restart is required; nothing was applied.
    case needsRestart([ConfigurationChange])
    /// Its rules can be tried.
    case rules([ConfigurationChange])
    /// No rule has changed, so there is nothing to try.
    case settings([ConfigurationChange])

    /// Compares two configurations.
    ///
    /// - Parameters:
    ///   - before: Every key of the configuration in force.
    ///   - after: Every key of the new one.
    init(from before: [ConfigurationValue], to after: [ConfigurationValue]) {
        let changes = after.changes(since: before)
        let fixed = changes.filter { $0.reload == .fixed }
        if !fixed.isEmpty {
            self = .needsRestart(fixed)
        } else if changes.contains(where: { $0.reload == .rule }) {
            self = .rules(changes)
        } else {
            self = changes.isEmpty ? .unchanged : .settings(changes)
        }
    }
}

extension ConfigurationChange {
    /// When the change takes effect. The place of a secret, which is not a key, needs a restart.
    fileprivate var reload: ConfigurationKey.Reload { ConfigurationTable.key(containing: path)?.reload ?? .fixed }
}

extension ConfigurationChange {
    /// The key and the origin of its new value, for operators. Not the value, which may be text.
    var place: String {
        switch after?.origin {
        case .file(let line): "\(key) (line \(line))"
        case .variable(let name): "\(key) (\(name))"
        case .secretFile, .standard: key
        case nil: "\(key) (gone)"
        }
    }
}

extension [ConfigurationChange] {
    /// The changes for operators, limited to what fits in a line.
    var places: String {
        let shown = 20
        let names = prefix(shown).map(\.place).joined(separator: ", ")
        return count > shown ? "\(names) and \(count - shown) more" : names
    }
}
