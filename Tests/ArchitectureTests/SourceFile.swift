/// The imports of a Swift file.
struct SourceFile {
    struct Import: Equatable {
        /// The number, from 1.
        var number: Int
        var module: String
    }

    /// The path from the root of the package.
    var path: String
    /// The name of its target in `Package.swift`.
    var target: String
    var imports: [Import]

    /// Parses the import lines of a source text.
    init(path: String, target: String, text: String) {
        self.path = path
        self.target = target
        imports = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
            line.split(separator: ";").compactMap { statement in
                Self.importedModule(statement).map { Import(number: index + 1, module: $0) }
            }
        }
    }

    /// `public import struct NewsflashKafka.Offset` imports `Kafka`.
    private static func importedModule(_ statement: Substring) -> String? {
        let code = statement.prefix { $0 != "/" }
        var words = code.split { $0 == " " || $0 == "\t" || $0 == "\r" }[...]
        while let word = words.first, word.hasPrefix("@") || accessLevels.contains(String(word)) { words.removeFirst() }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, kinds.contains(String(word)) { words.removeFirst() }
        return words.first.map { String($0.prefix { $0 != "." }) }
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
}
