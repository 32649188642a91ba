import ASCII

/// Parses the fields of a template and collects the properties they use and the warnings.
struct TemplateFieldReader {
    private static let mostWarnings = 100
    private static let longestPlace = 1000

    private(set) var properties: Set<String> = []
    private(set) var requiredProperties: Set<String> = []
    private(set) var warnings: [String] = []

    /// Parses a field.
    ///
    /// - Parameters:
    ///   - text: The whole field, without escapes.
    ///   - path: The path of the field, for errors and warnings.
    /// - Returns: The parsed field.
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
            warn("this is plain text, including $( ): write {'text ' + $(name)}", at: path)
        }
        if expression.isBareComposite {
            warn("the documentation requires braces around tokens joined with +: write {$(a) + $(b)}", at: path)
        }
        return expression
    }

    /// Adds a warning, up to a limited number.
    mutating func warn(_ text: String, at path: String) {
        guard warnings.count < Self.mostWarnings else { return }
        warnings.append("\(path.prefix(Self.longestPlace)): \(text)")
    }

    /// Appends a step to a path. A long path is not extended: names may have 64 KB and would be copied for each value.
    static func place(_ path: String, _ step: String) -> String {
        path.utf8.count > longestPlace ? path : "\(path)/\(step)"
    }
}
