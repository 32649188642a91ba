import NewsflashConfiguration
import NewsflashEvents
import NewsflashPublishing
import NewsflashYAML

/// One mapping of the file, read key by key.
///
/// A key's environment variable overrides the file: `NEWSFLASH_KAFKA_BOOTSTRAP_SERVERS` overrides `kafka.bootstrapServers`. A
/// key without a value (`group:`, `group: null`, `group: ~`) counts as absent. Every accessor reports a value that it cannot
/// read and returns `nil`, so that one run finds all problems.
struct ConfigurationSection {
    let path: [String]
    let line: Int?
    let context: ConfigurationContext
    private let entries: [YAMLEntry]

    init(_ node: YAMLNode?, path: [String], context: ConfigurationContext) {
        self.path = path
        self.context = context
        self.line = node?.line
        switch node?.kind {
        case .mapping(let entries):
            self.entries = entries
        case _ where node?.isNull ?? true:
            self.entries = []
        default:
            self.entries = []
            context.report(path, line: node?.line, "must be a mapping of keys to values")
        }
        context.open(path, line: line, entries)
    }

    /// The keys in the file, in order.
    var keys: [String] { entries.compactMap(\.key.scalarText) }

    /// The node of a key; `nil` for a key without a value.
    func node(_ key: String) -> YAMLNode? { written(key).flatMap { $0.isNull ? nil : $0 } }

    private func written(_ key: String) -> YAMLNode? {
        context.ask(for: key, in: path)
        return entries.first { $0.key.scalarText == key }?.value
    }

    func section(_ key: String) -> ConfigurationSection {
        ConfigurationSection(written(key), path: path + [key], context: context)
    }

    /// All sections below this one.
    func sections() -> [(name: String, section: ConfigurationSection)] {
        keys.map { ($0, section($0)) }
    }

    /// Reports a problem of a key's value, with the value's line. For a missing key it is the line of the section.
    func report(_ key: String, _ message: String) {
        context.ask(for: key, in: path)
        guard !isFromVariable(key) else {
            let variable = Self.variable(for: path + [key])
            return context.report(path + [key], line: nil, "\(message) (from the variable \(variable))")
        }
        let line = entries.first { $0.key.scalarText == key }?.value.line ?? (path.isEmpty ? nil : line)
        context.report(path + [key], line: line, message)
    }

    /// Warns about a value that works but should be changed.
    func warn(_ key: String, _ message: String) {
        let variable = isFromVariable(key) ? " (from the variable \(Self.variable(for: path + [key])))" : ""
        context.warn(ValidationProblem(path: (path + [key]).joined(separator: "."), message: message + variable))
    }

    /// Whether a key has a value, from the environment or the file.
    func isGiven(_ key: String) -> Bool {
        override(key) != nil || node(key) != nil
    }

    /// Whether a key's value comes from the environment.
    func isFromVariable(_ key: String) -> Bool {
        context.environment[Self.variable(for: path + [key])] != nil
    }

    /// A text, from the environment or the file.
    func text(_ key: String) -> String? {
        let form = ConfigurationTable.key(at: path + [key])?.type.form ?? .text
        context.compare(path + [key], as: form)
        let value = effectiveText(key)
        if let value { context.digest.add(path + [key], form.canonical(value)) }
        return value
    }

    /// The path of a file; `nil` if it is empty, as an environment variable may be (`${CA_FILE:-}` in Compose).
    func file(_ key: String) -> String? { text(key).flatMap { $0.isEmpty ? nil : $0 } }

    private func effectiveText(_ key: String) -> String? {
        if let value = override(key) { return value }
        guard let node = node(key) else { return nil }
        guard let text = node.scalarText else {
            report(key, "must be one value, not a list or a mapping")
            return nil
        }
        if text.last?.isNewline ?? false {
            warn(key, "ends with a line break, which becomes part of the value; write |- instead of |, or use one line")
        }
        return text
    }

    /// A list of texts. A single text is split at commas.
    func texts(_ key: String) -> [String]? { list(key, as: .list) }

    /// A list, or a single value. With the form `list`, a single text is split at commas.
    func list(_ key: String, as form: ConfigurationForm) -> [String]? {
        context.compare(path + [key], as: form)
        let values = effectiveTexts(key, as: form)
        if let values { context.digest.add(path + [key], form.canonical(values)) }
        return values
    }

    private func effectiveTexts(_ key: String, as form: ConfigurationForm) -> [String]? {
        func items(_ text: String) -> [String] { form == .list ? text.splitAtCommas : [text] }
        if let value = override(key) { return items(value) }
        guard let node = node(key) else { return nil }
        guard case .sequence(let nodes) = node.kind else { return effectiveText(key).map(items) }
        let texts = nodes.compactMap { $0.isNull ? nil : $0.scalarText }
        guard texts.count == nodes.count else {
            report(key, "must be a list of plain values")
            return nil
        }
        return texts
    }

    /// A text that has the type of its key; otherwise reports it.
    private func checked(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        guard let problem = ConfigurationTable.key(at: path + [key])?.type.problem(with: text) else { return text }
        report(key, problem)
        return nil
    }

    /// Checks the types and ranges of all values below this section, so that one run reports them all.
    func check() {
        for key in keys {
            switch ConfigurationTable.row(at: path + [key]) {
            case .group: section(key).check()
            case .key(let row) where row.type.isChecked:
                if let problem = effectiveText(key).flatMap(row.type.problem) { report(key, problem) }
            case .key, nil: break
            }
        }
    }

    /// The default of a key that has one whatever the other keys are; otherwise empty.
    func standard(_ key: String) -> String {
        if case .value(let text) = ConfigurationTable.key(at: path + [key])?.standard { text } else { "" }
    }

    /// A text, or the key's default.
    func value(_ key: String) -> String { text(key) ?? standard(key) }

    /// A whole number, or the key's default if it is absent or was reported.
    func integer(_ key: String) -> Int { integer(ifGiven: key) ?? Int(standard(key)) ?? 0 }

    func integer(ifGiven key: String) -> Int? { checked(key).flatMap { Int($0) } }

    /// A truth value, or the key's default if it is absent or was reported.
    func boolean(_ key: String) -> Bool { boolean(ifGiven: key) ?? (standard(key) == "true") }

    func boolean(ifGiven key: String) -> Bool? { checked(key).map { $0 == "true" } }

    /// A duration such as `250ms`, `30s`, `5m`, `2h`, `7d`, or the key's default if it is absent or was reported.
    func duration(_ key: String) -> Duration { duration(ifGiven: key) ?? Duration(configured: standard(key)) ?? .zero }

    func duration(ifGiven key: String) -> Duration? { checked(key).flatMap { Duration(configured: $0) } }

    /// A number of bytes such as `65536`, `64KiB`, `64 MiB`, or the key's default if it is absent or was reported.
    func byteCount(_ key: String) -> Int {
        checked(key).flatMap { Int(configuredBytes: $0) } ?? Int(configuredBytes: standard(key)) ?? 0
    }

    /// A maximum count per time interval: `6 per 10m`, `12 per day`.
    func rate(_ key: String) -> Rate? { checked(key).flatMap { ConfiguredRate($0)?.rate } }

    /// One of the words of a key, or the key's default if it is absent or was reported. The table must have a default.
    func choice<Value: RawRepresentable>(_ key: String, of type: Value.Type) -> Value
    where Value.RawValue == String {
        guard let value = choice(ifGiven: key, of: type) ?? Value(rawValue: standard(key)) else {
            preconditionFailure("\((path + [key]).joined(separator: ".")) has no default")
        }
        return value
    }

    func choice<Value: RawRepresentable>(ifGiven key: String, of type: Value.Type) -> Value?
    where Value.RawValue == String {
        checked(key).flatMap { Value(rawValue: $0) }
    }

    private func override(_ key: String) -> String? {
        context.ask(for: key, in: path)
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
