import NewsflashYAML

/// Finds keys in a configuration file, to name the line of a rule.
package struct ConfigurationPlaces {
    private let file: String
    private let root: YAMLNode?

    /// Parses a file that was already read without problems.
    package init(text: String, file: String) {
        self.file = file
        root = try? YAMLReader.read(text)
    }

    /// Returns the first of some keys that is in the file; if none is, the last one with a note that the default applies.
    ///
    /// - Parameter paths: The keys, each from the top level.
    /// - Returns: For example `policy.life.flash: 60m (newsflash.yaml:80)` or `policy.clockSkew (by default)`.
    package func place(of paths: [String]...) -> String {
        for path in paths {
            if let place = find(path) { return place }
        }
        return (paths.last ?? []).joined(separator: ".") + " (by default)"
    }

    private func find(_ path: [String]) -> String? {
        guard var node = root else { return nil }
        var line = node.line
        for key in path {
            guard case .mapping(let entries) = node.kind,
                let entry = entries.first(where: { $0.key.text == key })
            else { return nil }
            node = entry.value
            line = entry.key.line
        }
        let value = node.text.map { ": \($0)" } ?? ""
        return "\(path.joined(separator: "."))\(value) (\(file):\(line))"
    }
}

extension YAMLNode {
    /// The text of a scalar.
    fileprivate var text: String? {
        guard case .scalar(let text, isPlain: _) = kind else { return nil }
        return text
    }
}
