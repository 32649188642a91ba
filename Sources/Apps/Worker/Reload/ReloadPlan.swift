import Publishing

/// What a configuration that was read again leads to, beside the one in force.
enum ReloadPlan: Sendable {
    /// It says the same.
    case unchanged
    /// It would move what only a start can; nothing of it is taken.
    case needsRestart([ConfigurationChange])
    /// Its rules may be tried.
    case rules([ConfigurationChange])
    /// Nothing that decides on events has changed, so there is nothing to try.
    case settings([ConfigurationChange])

    /// Compares two configurations.
    ///
    /// - Parameters:
    ///   - before: Every key of the one in force.
    ///   - after: Every key of the other.
    init(from before: [ConfigurationValue], to after: [ConfigurationValue]) {
        let changes = after.changes(since: before)
        let fixed = changes.filter { Movability(of: $0.path) == .fixed }
        if !fixed.isEmpty {
            self = .needsRestart(fixed)
        } else if changes.contains(where: { Movability(of: $0.path) == .rule }) {
            self = .rules(changes)
        } else {
            self = changes.isEmpty ? .unchanged : .settings(changes)
        }
    }
}

/// When a key of the configuration can change.
enum Movability: Sendable, Equatable {
    /// While the worker runs: it decides who is told what.
    case rule
    /// While the worker runs, and no event is decided otherwise by it.
    case setting
    /// At a start.
    case fixed

    private static let rules: Set<String> = [
        "locales", "send", "categories", "narrower", "unknown", "text", "limits", "interruption", "policy",
    ]

    /// Looks at a key.
    ///
    /// - Parameter path: The steps to it.
    init(of path: [String]) {
        switch path.first {
        case let section? where Self.rules.contains(section): self = .rule
        case "hubs" where path.count == 3 && (path[2] == "tags" || path[2] == "as"): self = .rule
        // The worker itself does not look at the gateway's.
        case "version", "reload", "gateway": self = .setting
        case "log" where path == ["log", "level"]: self = .setting
        default: self = .fixed
        }
    }
}

extension ConfigurationChange {
    /// For people: the key, and where its new value was said; never the value, which may be words.
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
    /// For people; as many as fit a line.
    var places: String {
        let shown = 20
        let names = prefix(shown).map(\.place).joined(separator: ", ")
        return count > shown ? "\(names) and \(count - shown) more" : names
    }
}
