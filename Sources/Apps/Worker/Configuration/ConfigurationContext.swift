import NewsflashCommandLineArguments
import NewsflashConfiguration
import NewsflashEvents
import NewsflashYAML

/// The state that the parsers of all sections share: the environment, the keys read and the problems found so far.
final class ConfigurationContext {
    let environment: [String: String]
    private let document: YAMLNode?
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    /// Values of variables that override the file, by the path of the key.
    private(set) var overrides: [[String]: ConfigurationOverride] = [:]
    /// The variables that have, or would have, an effect.
    private(set) var variables: Set<String> = []
    /// How the values of keys are compared, by path. A key without an entry is compared as text.
    private(set) var forms: [[String]: ConfigurationForm] = [:]
    /// The digest of the rules read so far.
    var digest = ConfigurationDigest()
    /// The sections read, in the order of their first reading.
    private var sections: [(path: [String], line: Int?, entries: [YAMLEntry])] = []
    private var asked: [[String]: Set<String>] = [:]

    init(_ document: YAMLNode?, environment: [String: String]) {
        self.document = document
        self.environment = environment
    }

    /// The whole document.
    var root: ConfigurationSection { ConfigurationSection(document, path: [], context: self) }

    // MARK: Keys

    /// Records that a section is being read; ``finish()`` reports its unknown keys.
    func open(_ path: [String], line: Int?, _ entries: [YAMLEntry]) {
        guard asked[path] == nil else { return }
        asked[path] = []
        sections.append((path, line, entries))
    }

    /// Records that a parser knows a key.
    func ask(for key: String, in section: [String]) { asked[section, default: []].insert(key) }

    /// Records how the values of a key are compared.
    func compare(_ path: [String], as form: ConfigurationForm) {
        if form != .text || forms[path] == nil { forms[path] = form }
    }

    /// Reports the unknown keys of all sections, and sorts the problems by line. Called once, after
    /// everything was read.
    func finish() {
        for section in sections {
            // Below a key, only its reader knows the names.
            let known = ConfigurationTable.names(at: section.path) ?? (asked[section.path] ?? []).sorted()
            for entry in section.entries {
                guard let key = entry.key.scalarText, !known.contains(key), !known.contains("*") else { continue }
                let near = suggestion(for: key, among: known)
                let message =
                    near.map { "unknown key; did you mean '\($0)'?" }
                    ?? "unknown key; allowed: \(known.joined(separator: ", "))"
                report(section.path + [key], line: entry.key.line, message, kind: .unknownKey)
            }
        }
        sections = []
        problems = problems.enumerated()
            .sorted { ($0.element.line ?? .max, $0.offset) < ($1.element.line ?? .max, $1.offset) }
            .map(\.element)
    }

    // MARK: Variables

    /// The value of a key's variable.
    ///
    /// - Returns: `nil` if the environment has no such variable.
    func override(of path: [String]) -> String? {
        let variable = ConfigurationSection.variable(for: path)
        variables.insert(variable)
        guard let value = environment[variable] else { return nil }
        overrides[path] = ConfigurationOverride(variable: variable, value: value)
        return value
    }

    /// Records that variables have an effect.
    func know(_ names: String?...) { variables.formUnion(names.compactMap(\.self)) }

    // MARK: Problems

    /// Records a problem once: a section may be read in several places.
    func report(_ path: [String], line: Int?, _ message: String, kind: ConfigurationProblem.Kind = .other) {
        let path = path.joined(separator: ".")
        let problem = ConfigurationProblem(path: path, line: line, message: message, kind: kind)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Records a problem of a rule.
    ///
    /// - Parameters:
    ///   - problem: The problem, with the rule's own path.
    ///   - prefix: A prefix for that path, such as `send.`.
    func report(_ problem: ValidationProblem, prefix: String = "") {
        let problem = located(problem, prefix: prefix)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Records a warning of a rule.
    func warn(_ problem: ValidationProblem) {
        let warning = located(problem, prefix: "")
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Rules do not know line numbers, but their paths are those of the file.
    private func located(_ problem: ValidationProblem, prefix: String) -> ConfigurationProblem {
        let path = prefix + problem.path
        return ConfigurationProblem(path: path, line: document?.line(ofPath: path[...]), message: problem.message)
    }
}

extension YAMLNode {
    /// The line of the value at a path such as `text.flash.fr` or `categories.World[2]`, or of the deepest existing part of the
    /// path.
    fileprivate func line(ofPath path: Substring) -> Int? {
        switch kind {
        case .mapping(let entries):
            // Keys may contain dots, so the path is divided by comparing it with the keys.
            for entry in entries {
                guard let key = entry.key.scalarText, path.hasPrefix(key) else { continue }
                let rest = path.dropFirst(key.count)
                guard let next = rest.first else { return entry.value.line }
                guard next == "." || next == "[" else { continue }
                return entry.value.line(ofPath: next == "." ? rest.dropFirst() : rest) ?? entry.value.line
            }
            return nil
        case .sequence(let items):
            let digits = path.dropFirst().prefix { $0.isNumber }
            guard path.hasPrefix("["), let index = Int(digits), items.indices.contains(index) else { return nil }
            return items[index].line
        case .scalar: return nil
        }
    }
}
