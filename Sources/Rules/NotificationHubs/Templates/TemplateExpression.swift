public import StrictJSON

/// One field of a template: text that is copied, or an expression over the properties of a message.
///
/// A field is an expression exactly when its first character is one of `$ . % # {`; then all of it must be one.
/// `$(name)` is the value, empty where it is missing; `$(name, 20)` clips it, `.(name, 20)` clips it with three dots,
/// `%(name)` percent-encodes it, `#(name)` is a number in JSON, `{'text' + $(name)}` joins. The language is that of
/// https://learn.microsoft.com/azure/notification-hubs/notification-hubs-templates-cross-platform-push-messages, as the
/// .NET SDK checks it, which also takes `$(name:{instead})` for a value that is missing.
public struct TemplateExpression: Sendable, Hashable {
    /// Whether the field is copied as it is.
    public let isLiteral: Bool
    /// Whether tokens are joined without the braces that the documentation wants around them.
    let isBareComposite: Bool
    private let tokens: [TemplateToken]

    /// Reads a field.
    ///
    /// - Parameter text: The whole field, without the escapes of JSON or XML.
    /// - Throws: ``TemplateError`` for what begins as an expression and is none.
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

    /// The properties that it reads, as written, each once.
    public var properties: [String] {
        var seen: Set<String> = []
        return tokens.compactMap { token in
            guard case .property(let reference) = token, seen.insert(reference.key).inserted else { return nil }
            return reference.name
        }
    }

    /// The properties that it reads without a default, in lower case.
    var requiredKeys: [String] {
        tokens.compactMap { token in
            guard case .property(let reference) = token, reference.fallback == nil else { return nil }
            return reference.key
        }
    }

    /// The field's text for a message.
    ///
    /// - Parameters:
    ///   - values: Of the message and the device.
    ///   - maximumBytes: Of a longer text, what follows the part that makes it longer is left out.
    /// - Returns: Without any escapes.
    public func text(_ values: TemplateValues, maximumBytes: Int = .max) -> String {
        if tokens.count == 1 { return tokens[0].text(values) }
        var text = ""
        for token in tokens where text.utf8.count <= maximumBytes { text += token.text(values) }
        return text
    }

    /// The field's value in a JSON body.
    ///
    /// - Parameter values: Of the message and the device.
    /// - Returns: A number where the expression is `#( )` and the value looks like one, else a string.
    public func json(_ values: TemplateValues) -> JSONValue {
        let text = text(values)
        guard isNumeric, text.isTemplateNumber, let number = JSONNumber(text) else { return .string(text) }
        return .number(number)
    }

    /// Whether it is `#( )`.
    var isNumeric: Bool {
        guard case .property(let reference)? = tokens.first else { return false }
        return reference.form == .number
    }
}
