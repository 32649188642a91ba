import NewsflashYAML

extension [ConfigurationValue] {
    /// All keys of a configuration with their values, in the order of its sections.
    ///
    /// - Parameters:
    ///   - document: The file.
    ///   - context: The context after everything was read.
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
        let standard = DefaultValue.all(of: configuration, given: document).map {
            value($0.path, $0.content, $0.origin)
        }
        var sections: Set<[String]> = []
        for value in standard {
            for end in 1..<Swift.max(value.path.count, 1) { sections.insert(Array<String>(value.path[..<end])) }
        }
        let keys = Set(standard.map(\.path))
        var given: [ConfigurationValue] = []
        document.collectLeaves(at: []) { path, content, line in
            // Sections without keys and known keys without values are skipped.
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
        // A hub without tags or forms shows those of `send`, with their origin.
        for index in indices where self[index].path.first == "hubs" && self[index].origin == .standard {
            guard let key = self[index].path.last, key == "tags" || key == "as",
                let shared = first(where: { $0.path == ["send", key] })
            else { continue }
            self[index] = value(self[index].path, shared.content, shared.origin)
        }
    }

    /// The differences from an earlier configuration, key by key. A key that only one of them has is a difference.
    ///
    /// - Returns: The changed and new keys in their order, then the removed ones.
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

/// A key whose value differs from the one before.
package struct ConfigurationChange: Sendable, Equatable {
    package var path: [String]
    /// `nil` if the key is new.
    package var before: ConfigurationValue?
    /// `nil` if the key was removed.
    package var after: ConfigurationValue?

    /// The key in the form `section.key`.
    package var key: String { path.joined(separator: ".") }
}

/// The environment variable that overrides the file, with its value.
struct ConfigurationOverride {
    var variable: String
    var value: String
}

extension YAMLNode {
    /// Calls `body` for each value below this node with its path and line, in the order of the text. A key without a value has
    /// no content.
    fileprivate func collectLeaves(
        at path: [String],
        _ body: ([String], ConfigurationValue.Content?, _ line: Int) -> Void
    ) {
        switch kind {
        case .scalar(let text, _):
            body(path, isNull ? nil : .text(text), line)
        case .mapping(let entries):
            for entry in entries { entry.value.collectLeaves(at: path + [entry.key.scalarText ?? "?"], body) }
        case .sequence(let items):
            let texts = items.compactMap(\.scalarText)
            if texts.count == items.count { return body(path, .list(texts), line) }
            for (index, item) in items.enumerated() {
                item.collectLeaves(at: Array<String>(path.dropLast()) + ["\(path.last ?? "")[\(index)]"], body)
            }
        }
    }
}
