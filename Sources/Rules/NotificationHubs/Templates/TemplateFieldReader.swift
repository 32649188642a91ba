import ASCII

/// Reads the fields of a template and keeps what is said of them: which properties they read, what is odd about them.
struct TemplateFieldReader {
    private static let mostWarnings = 100
    private static let longestPlace = 1000

    private(set) var properties: Set<String> = []
    private(set) var requiredProperties: Set<String> = []
    private(set) var warnings: [String] = []

    /// Reads one field.
    ///
    /// - Parameters:
    ///   - text: The whole field, without escapes.
    ///   - path: The field's name in errors and warnings.
    /// - Returns: The field.
    /// - Throws: ``TemplateError`` with the path.
    mutating func expression(_ text: String, at path: String) throws(TemplateError) -> TemplateExpression {
        let expression: TemplateExpression
        do throws(TemplateError) {
            expression = try TemplateExpression(parsing: text)
        } catch {
            throw error.inside(path)
        }
        for name in expression.properties { properties.insert(name.lowercasedASCII) }
        requiredProperties.formUnion(expression.requiredKeys)
        if expression.isLiteral, text.contains("$(") {
            warn("this is plain text and shown as it is, $( ) too: write {'text ' + $(name)}", at: path)
        }
        if expression.isBareComposite {
            warn("the documentation wants braces around what + joins: write {$(a) + $(b)}", at: path)
        }
        return expression
    }

    /// Notes something odd. What is odd a hundred times is not told a hundred times.
    mutating func warn(_ text: String, at path: String) {
        guard warnings.count < Self.mostWarnings else { return }
        warnings.append("\(path.prefix(Self.longestPlace)): \(text)")
    }

    /// The place below another. One that is long stays as it is: names may have 64 KB, and would be copied for each value.
    static func place(_ path: String, _ step: String) -> String {
        path.utf8.count > longestPlace ? path : "\(path)/\(step)"
    }
}
