import NewsflashEvents
import NewsflashYAML

/// Finds words used as text that many YAML parsers read as truth values: `no:` for Norwegian.
///
/// Our parser reads them as text; the next tool that reads the file may not.
enum AmbiguousScalars {
    private static let words: Set<String> = ["y", "n", "yes", "no", "true", "false", "on", "off"]

    /// Warns about keys and offered languages.
    ///
    /// - Parameters:
    ///   - root: The root node of the file.
    ///   - context: Receives the warnings.
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
        let message = "\(text) is a truth value to many YAML parsers; write \"\(text)\" in quotes"
        context.warn(ValidationProblem(path: path.joined(separator: "."), message: message))
    }
}
