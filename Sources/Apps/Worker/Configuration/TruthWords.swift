import NewsEvents
import YAML

/// Finds words that are truth values to many readers of YAML where a text is meant: `no:` for Norwegian.
///
/// This reader takes them as they are written; the next tool that reads the file may not.
enum TruthWords {
    private static let words: Set<String> = ["y", "n", "yes", "no", "true", "false", "on", "off"]

    /// Warns of keys, and of languages that are offered.
    ///
    /// - Parameters:
    ///   - root: The document.
    ///   - context: Takes the warnings.
    static func warn(of root: YAMLNode, in context: ConfigurationContext) {
        search(root, path: [], context)
    }

    private static func search(_ node: YAMLNode, path: [String], _ context: ConfigurationContext) {
        switch node.kind {
        case .mapping(let entries):
            for entry in entries {
                let key = entry.key.scalarText ?? ""
                warn(entry.key, at: path + [key], context)
                search(entry.value, path: path + [key], context)
            }
        case .sequence(let items):
            guard path == ["locales", "offered"] else { return }
            for (index, item) in items.enumerated() { warn(item, at: ["locales", "offered[\(index)]"], context) }
        case .scalar:
            if path == ["locales", "default"] { warn(node, at: path, context) }
        }
    }

    private static func warn(_ node: YAMLNode, at path: [String], _ context: ConfigurationContext) {
        guard case .scalar(let text, isPlain: true) = node.kind, words.contains(text.lowercased()) else { return }
        let message = "\(text) is a truth value to many readers of YAML; write \"\(text)\" in quotes"
        context.warn(RuleProblem(path: path.joined(separator: "."), message: message))
    }
}
