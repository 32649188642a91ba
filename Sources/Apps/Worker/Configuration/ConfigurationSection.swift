import NewsEvents
import YAML

/// What readers of all sections share: the environment, what was read and the problems found so far.
final class ConfigurationContext {
    let environment: [String: String]
    private let document: YAMLNode?
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    /// What variables said in place of the file, by the path of the key.
    private(set) var overrides: [[String]: ConfigurationOverride] = [:]
    /// The variables that have, or would have, an effect.
    private(set) var variables: Set<String> = []
    /// Of the rules read so far.
    var digest = ConfigurationDigest()

    init(_ document: YAMLNode?, environment: [String: String]) {
        self.document = document
        self.environment = environment
    }

    /// The value of a key's variable.
    ///
    /// - Parameter path: The key.
    /// - Returns: `nil` where the environment has no such variable.
    func override(of path: [String]) -> String? {
        let variable = ConfigurationSection.variable(for: path)
        variables.insert(variable)
        guard let value = environment[variable] else { return nil }
        overrides[path] = ConfigurationOverride(variable: variable, value: value)
        return value
    }

    /// Notes that variables have an effect.
    func know(_ names: String?...) { variables.formUnion(names.compactMap(\.self)) }

    /// Notes a problem, once: a section may be read in several places.
    func report(_ path: [String], line: Int?, _ message: String) {
        let problem = ConfigurationProblem(path: path.joined(separator: "."), line: line, message: message)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Takes over what a rule found wrong with itself.
    ///
    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - prefix: What stands in front of the rule's own path, such as `send.`.
    func report(_ problem: RuleProblem, prefix: String = "") {
        let problem = located(problem, prefix: prefix)
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Takes over what a rule finds worth mending though it works.
    func warn(_ problem: RuleProblem) {
        let warning = located(problem, prefix: "")
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// Rules know no lines, but their paths are those of the file.
    private func located(_ problem: RuleProblem, prefix: String) -> ConfigurationProblem {
        let path = prefix + problem.path
        return ConfigurationProblem(path: path, line: document?.line(ofPath: path[...]), message: problem.message)
    }
}

/// One mapping of the file, read key by key.
///
/// A key's environment variable goes before the file: `kafka.bootstrapServers` is `NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS`.
/// Every accessor reports what it cannot read and gives `nil`, so that one run finds all problems.
final class ConfigurationSection {
    let path: [String]
    let line: Int?
    let context: ConfigurationContext
    private let entries: [YAMLEntry]
    private var asked: Set<String> = []

    init(_ node: YAMLNode?, path: [String], context: ConfigurationContext) {
        self.path = path
        self.context = context
        self.line = node?.line
        switch node?.kind {
        case .mapping(let entries):
            self.entries = entries
        case .scalar(let text, isPlain: true) where text.isEmpty || text == "~" || text == "null":
            self.entries = []
        case nil:
            self.entries = []
        default:
            self.entries = []
            context.report(path, line: node?.line, "must be a mapping of keys to values")
        }
    }

    /// The keys in the file, in order.
    var keys: [String] { entries.compactMap(\.key.scalarText) }

    /// The node of a key.
    func node(_ key: String) -> YAMLNode? {
        asked.insert(key)
        return entries.first { $0.key.scalarText == key }?.value
    }

    func section(_ key: String) -> ConfigurationSection {
        ConfigurationSection(node(key), path: path + [key], context: context)
    }

    /// The sections below this one, whatever their names.
    func sections() -> [(name: String, section: ConfigurationSection)] {
        keys.map { ($0, section($0)) }
    }

    /// Reports what is wrong with a key's value, where it stands; a missing one with the line of its section.
    func report(_ key: String, _ message: String) {
        let variable = Self.variable(for: path + [key])
        guard context.environment[variable] == nil else {
            return context.report(path + [key], line: nil, "\(message) (from the variable \(variable))")
        }
        let line = entries.first { $0.key.scalarText == key }?.value.line ?? (path.isEmpty ? nil : line)
        context.report(path + [key], line: line, message)
    }

    /// Notes what may be mended about a key though it works.
    func warn(_ key: String, _ message: String) {
        context.warn(RuleProblem(path: (path + [key]).joined(separator: "."), message: message))
    }

    /// Whether a key has a value, from the environment or the file.
    func isGiven(_ key: String) -> Bool {
        override(key) != nil || node(key) != nil
    }

    /// A text, from the environment or the file.
    func text(_ key: String) -> String? {
        let value = effectiveText(key)
        if let value { context.digest.add(path + [key], [value]) }
        return value
    }

    private func effectiveText(_ key: String) -> String? {
        if let value = override(key) { return value }
        guard let node = node(key) else { return nil }
        guard let text = node.scalarText else {
            report(key, "must be one value, not a list or a mapping")
            return nil
        }
        return text
    }

    /// A list of texts; one text is split at commas.
    func texts(_ key: String) -> [String]? {
        let values = effectiveTexts(key)
        if let values { context.digest.add(path + [key], values) }
        return values
    }

    private func effectiveTexts(_ key: String) -> [String]? {
        if let value = override(key) { return value.splitAtCommas }
        guard let node = node(key) else { return nil }
        if case .sequence(let items) = node.kind {
            let texts = items.compactMap(\.scalarText)
            if texts.count != items.count { report(key, "must be a list of plain values") }
            return texts
        }
        return effectiveText(key)?.splitAtCommas
    }

    func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = text(key) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            report(key, "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    func boolean(_ key: String) -> Bool? {
        guard let text = text(key) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            report(key, "'\(text)' is neither true nor false")
            return nil
        }
    }

    /// A length of time: `250ms`, `30s`, `5m`, `2h`, `7d`.
    func duration(_ key: String) -> Duration? {
        guard let text = text(key) else { return nil }
        guard let value = Duration(configured: text) else {
            report(key, "'\(text)' is not a length of time; write a whole number with ms, s, m, h or d, such as 30s")
            return nil
        }
        return value
    }

    /// A length of time that is not nought.
    func positiveDuration(_ key: String) -> Duration? {
        guard let value = duration(key) else { return nil }
        guard value > .zero else {
            report(key, "is no time at all; write a length of time, such as 7d")
            return nil
        }
        return value
    }

    /// A number of bytes: `65536`, `64KiB`, `64 MiB`.
    func byteCount(_ key: String) -> Int? {
        guard let text = text(key) else { return nil }
        guard let value = Int(configuredBytes: text) else {
            report(key, "'\(text)' is not a size; write a whole number, with KiB, MiB or GiB if you like")
            return nil
        }
        return value
    }

    func choice<Value: RawRepresentable & CaseIterable>(_ key: String, of type: Value.Type) -> Value?
    where Value.RawValue == String {
        guard let text = text(key) else { return nil }
        guard let value = Value(rawValue: text) else {
            let choices = type.allCases.map(\.rawValue).joined(separator: ", ")
            report(key, "'\(text)' is none of: \(choices)")
            return nil
        }
        return value
    }

    /// Reports keys that nobody asked for, with the likeliest meant.
    func reportUnknownKeys() {
        for entry in entries {
            guard let key = entry.key.scalarText else {
                context.report(path, line: entry.key.line, "a key must be a plain word")
                continue
            }
            guard !asked.contains(key) else { continue }
            let known = asked.sorted().joined(separator: ", ")
            context.report(path + [key], line: entry.key.line, "is no key of this section; known here: \(known)")
        }
    }

    private func override(_ key: String) -> String? {
        asked.insert(key)
        return context.override(of: path + [key])
    }

    /// The name of a key's environment variable.
    static func variable(for path: [String]) -> String {
        let words = path.map { part in
            part.reduce(into: "") { word, character in
                if character.isUppercase, !word.isEmpty { word.append("_") }
                word.append(contentsOf: character.isLetter || character.isNumber ? character.uppercased() : "_")
            }
        }
        return "NEWSFLASH_" + words.joined(separator: "_")
    }
}

extension YAMLNode {
    /// The text of a scalar; `nil` for a list or a mapping.
    var scalarText: String? {
        guard case .scalar(let text, _) = kind else { return nil }
        return text
    }

    /// The line of what a path such as `text.flash.fr` or `categories.World[2]` names, or of as much of it as there is.
    fileprivate func line(ofPath path: Substring) -> Int? {
        switch kind {
        case .mapping(let entries):
            // Keys may have dots in them, so it is the keys that divide the path.
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

extension String {
    fileprivate var splitAtCommas: [String] {
        split(separator: ",").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Duration {
    /// Reads `250ms`, `30s`, `5m`, `2h` or `7d`.
    package init?(configured text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= 10_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(count)
        case "s": self = .seconds(count)
        case "m": self = .seconds(count * 60)
        case "h": self = .seconds(count * 3600)
        case "d": self = .seconds(count * 86_400)
        default: return nil
        }
    }
}

extension Int {
    /// Reads `65536`, `64KiB` or `64 MiB`.
    init?(configuredBytes text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1 << 40 else { return nil }
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
        case "": self = count
        case "KiB": self = count << 10
        case "MiB": self = count << 20
        case "GiB" where count <= 1 << 20: self = count << 30
        default: return nil
        }
    }
}
