import YAML

extension [ConfigurationValue] {
    /// All keys of a configuration with what they come to, in the order of its sections.
    ///
    /// - Parameters:
    ///   - document: The file.
    ///   - context: After everything was read.
    ///   - configuration: The result.
    init(of document: YAMLNode, _ context: ConfigurationContext, _ configuration: WorkerConfiguration) {
        let overrides = context.overrides
        func value(
            _ path: [String],
            _ content: ConfigurationValue.Content,
            _ origin: ConfigurationValue.Origin
        ) -> ConfigurationValue {
            ConfigurationValue(path, content, origin, as: context.forms[path] ?? .text)
        }
        let standard = StandardValue.all(of: configuration, given: document).map {
            value($0.path, $0.content, $0.origin)
        }
        var sections: Set<[String]> = []
        for value in standard {
            for end in 1..<Swift.max(value.path.count, 1) { sections.insert(Array<String>(value.path[..<end])) }
        }
        let keys = Set(standard.map(\.path))
        var given: [ConfigurationValue] = []
        document.collectLeaves(at: []) { path, content, line in
            // A section without keys, and a key without a value, say nothing.
            guard !sections.contains(path), content != nil || !keys.contains(path) else { return }
            if let override = overrides[path] {
                given.append(value(path, .text(override.value), .variable(override.variable)))
            } else {
                given.append(value(path, content ?? .text(""), .file(line: line)))
            }
        }
        self = []
        var taken: Set<[String]> = []
        for usual in standard {
            let own = given.filter { $0.path.starts(with: usual.path) && !taken.contains($0.path) }
            for each in own { taken.insert(each.path) }
            if !own.isEmpty {
                self += own
            } else if let override = overrides[usual.path] {
                append(value(usual.path, .text(override.value), .variable(override.variable)))
            } else {
                append(usual)
            }
        }
        self += given.filter { !taken.contains($0.path) }
        // What a hub does not say for itself, `send` says, in its own place.
        for index in indices where self[index].path.first == "hubs" && self[index].origin == .standard {
            guard let key = self[index].path.last, key == "tags" || key == "as",
                let shared = first(where: { $0.path == ["send", key] })
            else { continue }
            self[index] = value(self[index].path, shared.content, shared.origin)
        }
    }

    /// What differs from what was before, key by key; a key that only one of them has differs.
    ///
    /// - Parameter before: All keys of another configuration.
    /// - Returns: The keys in the order of these, then those that have gone.
    package func changes(since before: [ConfigurationValue]) -> [ConfigurationChange] {
        let earlier = Dictionary<[String], ConfigurationValue>(before.map { ($0.path, $0) }) { first, _ in first }
        let present = Set(map(\.path))
        let changed = compactMap { value -> ConfigurationChange? in
            let old = earlier[value.path]
            if let old, old.saysTheSame(as: value) { return nil }
            if old == nil, value.content == .none { return nil }
            return ConfigurationChange(path: value.path, before: old, after: value)
        }
        let gone = before.filter { !present.contains($0.path) && $0.content != .none }
        return changed + gone.map { ConfigurationChange(path: $0.path, before: $0, after: nil) }
    }
}

/// A key that says something else than before.
package struct ConfigurationChange: Sendable, Equatable {
    package var path: [String]
    /// `nil` for a key that is new.
    package var before: ConfigurationValue?
    /// `nil` for a key that has gone.
    package var after: ConfigurationValue?

    /// The key as people write it.
    package var key: String { path.joined(separator: ".") }
}

/// What a variable of the environment says in place of the file.
struct ConfigurationOverride {
    var variable: String
    var value: String
}

extension YAMLNode {
    /// Hands over the values below this node, each with its path and its line, in the order of the text. A key without a
    /// value has no content.
    fileprivate func collectLeaves(
        at path: [String],
        _ take: ([String], ConfigurationValue.Content?, _ line: Int) -> Void
    ) {
        switch kind {
        case .scalar(let text, _):
            take(path, isNull ? nil : .text(text), line)
        case .mapping(let entries):
            for entry in entries { entry.value.collectLeaves(at: path + [entry.key.scalarText ?? "?"], take) }
        case .sequence(let items):
            let texts = items.compactMap(\.scalarText)
            if texts.count == items.count { return take(path, .list(texts), line) }
            for (index, item) in items.enumerated() {
                item.collectLeaves(at: Array<String>(path.dropLast()) + ["\(path.last ?? "")[\(index)]"], take)
            }
        }
    }
}
