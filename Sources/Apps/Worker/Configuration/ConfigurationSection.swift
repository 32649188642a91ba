import NewsEvents
import YAML

/// What readers of all sections share: the environment, and the problems found so far.
final class ConfigurationContext {
    let environment: [String: String]
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []

    init(environment: [String: String]) {
        self.environment = environment
    }

    func report(_ path: [String], line: Int?, _ message: String) {
        problems.append(ConfigurationProblem(path: path.joined(separator: "."), line: line, message: message))
    }

    /// Takes over what a rule found wrong with itself.
    func report(_ problem: RuleProblem) {
        problems.append(ConfigurationProblem(path: problem.path, message: problem.message))
    }

    /// Takes over what a rule finds worth mending though it works.
    func warn(_ problem: RuleProblem) {
        warnings.append(ConfigurationProblem(path: problem.path, message: problem.message))
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

    func report(_ key: String, _ message: String) {
        context.report(path + [key], line: entries.first { $0.key.scalarText == key }?.value.line ?? line, message)
    }

    /// A text, from the environment or the file.
    func text(_ key: String) -> String? {
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
        if let value = override(key) { return value.splitAtCommas }
        guard let node = node(key) else { return nil }
        if case .sequence(let items) = node.kind {
            let texts = items.compactMap(\.scalarText)
            if texts.count != items.count { report(key, "must be a list of plain values") }
            return texts
        }
        return text(key)?.splitAtCommas
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
        return context.environment[Self.variable(for: path + [key])]
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
    init?(configured text: String) {
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
