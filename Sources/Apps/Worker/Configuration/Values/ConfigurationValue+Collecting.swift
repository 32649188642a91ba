import YAML

extension [ConfigurationValue] {
    /// All keys of a configuration with what they come to, in the order of its sections.
    ///
    /// - Parameters:
    ///   - document: The file; `nil` for an empty one.
    ///   - overrides: What variables of the environment said, by path.
    ///   - configuration: What was read of both.
    init(
        of document: YAMLNode?,
        overrides: [[String]: ConfigurationOverride],
        _ configuration: WorkerConfiguration
    ) {
        let standard = StandardValue.all(of: configuration, given: document)
        var sections: Set<[String]> = []
        for value in standard {
            for end in 1..<Swift.max(value.path.count, 1) { sections.insert(Array<String>(value.path[..<end])) }
        }
        var given: [ConfigurationValue] = []
        document?.collectLeaves(at: [], into: &given)
        // A section without keys says nothing.
        given.removeAll { sections.contains($0.path) }
        given = given.map { value in
            guard let override = overrides[value.path] else { return value }
            return ConfigurationValue(value.path, .text(override.value), .variable(override.variable))
        }
        self = []
        var taken: Set<[String]> = []
        for value in standard {
            let own = given.filter { $0.path.starts(with: value.path) && !taken.contains($0.path) }
            for each in own { taken.insert(each.path) }
            if !own.isEmpty {
                self += own
            } else if let override = overrides[value.path] {
                append(ConfigurationValue(value.path, .text(override.value), .variable(override.variable)))
            } else {
                append(value)
            }
        }
        self += given.filter { !taken.contains($0.path) }
        // What a hub does not say for itself, `send` says, in its own place.
        for index in indices where self[index].path.first == "hubs" && self[index].origin == .standard {
            guard let key = self[index].path.last, key == "tags" || key == "as",
                let shared = first(where: { $0.path == ["send", key] })
            else { continue }
            self[index] = ConfigurationValue(self[index].path, shared.content, shared.origin)
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
    /// The values below this node, each with its path, in the order of the text.
    fileprivate func collectLeaves(at path: [String], into values: inout [ConfigurationValue]) {
        switch kind {
        case .scalar(let text, _):
            values.append(ConfigurationValue(path, .text(text), .file(line: line)))
        case .mapping(let entries):
            for entry in entries { entry.value.collectLeaves(at: path + [entry.key.scalarText ?? "?"], into: &values) }
        case .sequence(let items):
            let texts = items.compactMap(\.scalarText)
            if texts.count == items.count {
                return values.append(ConfigurationValue(path, .list(texts), .file(line: line)))
            }
            for (index, item) in items.enumerated() {
                let place = path.dropLast() + ["\(path.last ?? "")[\(index)]"]
                item.collectLeaves(at: Array<String>(place), into: &values)
            }
        }
    }
}
