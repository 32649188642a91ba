import Publishing

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
        let fixed = changes.filter { ReloadClass(of: $0.path) == .fixed }
        if !fixed.isEmpty {
            self = .needsRestart(fixed)
        } else if changes.contains(where: { ReloadClass(of: $0.path) == .rule }) {
            self = .rules(changes)
        } else {
            self = changes.isEmpty ? .unchanged : .settings(changes)
        }
    }
}

/// When a change of a configuration key takes effect.
enum ReloadClass: Sendable, Equatable {
    /// While the worker runs; it decides who is notified of what.
    case rule
    /// While the worker runs; it changes no decision on events.
    case setting
    /// At a start.
    case fixed

    private static let rules: Set<String> = [
        "locales", "send", "categories", "narrower", "unknown", "text", "limits", "interruption", "policy",
    ]

    /// Classifies a key.
    init(of path: [String]) {
        switch path.first {
        case let section? where Self.rules.contains(section): self = .rule
        case "hubs" where path.count == 3 && (path[2] == "tags" || path[2] == "as"): self = .rule
        // The worker does not use the gateway's settings.
        case "version", "reload", "gateway": self = .setting
        case "log" where path == ["log", "level"]: self = .setting
        default: self = .fixed
        }
    }
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
