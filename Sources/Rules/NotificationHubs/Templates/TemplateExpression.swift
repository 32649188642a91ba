public import StrictJSON

/// A field of a template: a literal text, or an expression over the properties of a message.
///
/// A field is an expression if its first character is one of `$ . % # {`; then the whole field must be a valid expression.
/// `$(name)` is the value, or empty if it is missing. `$(name, 20)` clips it, `.(name, 20)` clips it with three dots,
/// `%(name)` percent-encodes it, `#(name)` is a number in JSON, `{'text' + $(name)}` joins. The language is documented at
/// https://learn.microsoft.com/azure/notification-hubs/notification-hubs-templates-cross-platform-push-messages. As in the
/// .NET SDK's check, `$(name:{instead})` gives a default for a missing value.
public struct TemplateExpression: Sendable, Hashable {
    /// Whether the field is a literal text.
    public let isLiteral: Bool
    /// Whether tokens are joined without the braces that the documentation requires.
    let isBareComposite: Bool
    private let tokens: [TemplateToken]

    /// Parses a field.
    ///
    /// - Parameter text: The whole field, without JSON or XML escapes.
    /// - Throws: ``TemplateError`` if the text begins like an expression but is not valid.
    public init(parsing text: String) throws(TemplateError) {
        guard TemplateExpressionParser.isExpression(text) else {
            isLiteral = true
            isBareComposite = false
            tokens = [.literal(text)]
            return
        }
        var parser = TemplateExpressionParser(text)
        tokens = try parser.expression()
        isLiteral = false
        isBareComposite = tokens.count > 1 && text.utf8.first != UInt8(ascii: "{")
    }

    /// The names of the properties used, as written, each once.
    public var properties: [String] {
        var seen: Set<String> = []
        return tokens.compactMap { token in
            guard case .property(let reference) = token, seen.insert(reference.key).inserted else { return nil }
            return reference.name
        }
    }

    /// The properties used without a default, in lower case.
    var requiredKeys: [String] {
        tokens.compactMap { token in
            guard case .property(let reference) = token, reference.fallback == nil else { return nil }
            return reference.key
        }
    }

    /// Renders the field's text for a message.
    ///
    /// - Parameters:
    ///   - values: The values of the message and the device.
    ///   - maximumBytes: Rendering stops after the token that exceeds this size.
    /// - Returns: The text, not escaped.
    public func text(_ values: TemplateValues, maximumBytes: Int = .max) -> String {
        if tokens.count == 1 { return tokens[0].text(values) }
        var text = ""
        for token in tokens where text.utf8.count <= maximumBytes { text += token.text(values) }
        return text
    }

    /// Renders the field's value in a JSON body.
    ///
    /// - Parameter values: The values of the message and the device.
    /// - Returns: A number if the expression is `#( )` and its value is a number; otherwise a string.
    public func json(_ values: TemplateValues) -> JSONValue {
        let text = text(values)
        guard isNumeric, text.isTemplateNumber, let number = JSONNumber(text) else { return .string(text) }
        return .number(number)
    }

    /// Whether the expression is `#( )`.
    var isNumeric: Bool {
        guard case .property(let reference)? = tokens.first else { return false }
        return reference.form == .number
    }
}
