import YAML

/// Finds the places of keys in a configuration's file, to say which rule it was.
struct ConfigurationPlaces {
    private let file: String
    private let root: YAMLNode?

    /// Reads a file that was read before, so that nothing is wrong with it.
    ///
    /// - Parameters:
    ///   - text: Its content.
    ///   - file: Its name.
    init(text: String, file: String) {
        self.file = file
        root = try? YAMLReader.read(text)
    }

    /// The first of some keys that stands in the file, the last of them by default where none does.
    ///
    /// - Parameter paths: Each from the top.
    /// - Returns: Such as `policy.life.flash: 60m (newsflash.yaml:80)` or `policy.clockSkew (by default)`.
    func place(of paths: [String]...) -> String {
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
