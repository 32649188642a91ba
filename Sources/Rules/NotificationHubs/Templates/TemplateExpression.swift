import NewsflashBasics
package import NotificationHubsCore

/// A field of a template: a literal text, or an expression over the properties of a message.
///
/// A field is an expression if its first character is one of `$ . % # {`; then the whole field must be a valid expression.
/// `$(name)` is the value, or empty if it is missing. `$(name, 20)` clips it, `.(name, 20)` clips it with three dots,
/// `%(name)` percent-encodes it, `#(name)` is a number in JSON, `{'text' + $(name)}` joins. The language is documented at
/// https://learn.microsoft.com/azure/notification-hubs/notification-hubs-templates-cross-platform-push-messages. As in the
/// .NET SDK's check, `$(name:{instead})` gives a default for a missing value.
package struct TemplateExpression: Sendable, Hashable {
    /// Whether the field is a literal text.
    package let isLiteral: Bool
    /// Whether tokens are joined without the braces that the documentation requires.
    let isBareComposite: Bool
    private let tokens: [TemplateToken]

    /// Parses a field.
    ///
    /// - Parameter text: The whole field, without JSON or XML escapes.
    /// - Throws: ``TemplateError`` if the text begins like an expression but is not valid.
    package init(parsing text: String) throws(TemplateError) {
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
    package var properties: [String] {
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
    package func text(_ values: TemplateValues, maximumBytes: Int = .max) -> String {
        if tokens.count == 1 { return tokens[0].text(values) }
        var text = ""
        for token in tokens where text.utf8.count <= maximumBytes { text += token.text(values) }
        return text
    }

    /// Whether the expression is `#( )`.
    var isNumeric: Bool {
        guard case .property(let reference)? = tokens.first else { return false }
        return reference.form == .number
    }
}

/// A token of an expression.
enum TemplateToken: Sendable, Hashable {
    /// A quoted text, or a whole literal field.
    case literal(String)
    /// `$( )`, `.( )`, `%( )` or `#( )`.
    case property(TemplateReference)

    func text(_ values: TemplateValues) -> String {
        switch self {
        case .literal(let text): text
        case .property(let reference): reference.text(values)
        }
    }
}

/// A property in an expression, with the form of its value.
struct TemplateReference: Sendable, Hashable {
    /// The form, given by the first character.
    enum Form: Sendable, Hashable {
        /// `$`: the text.
        case text
        /// `.`: the text, with three dots at its end if it was clipped.
        case ellipsis
        /// `%`: the text, percent-encoded.
        case percent
        /// `#`: a JSON number if the text is one.
        case number
    }

    var form: Form
    /// The name as written.
    var name: String
    /// The name in lower case, the key of the values.
    var key: String
    /// The maximum number of UTF-16 code units in the result.
    var length: Int?
    /// The default for a missing value.
    var fallback: String?

    func text(_ values: TemplateValues) -> String {
        let value = values.value(ofKey: key) ?? fallback ?? ""
        switch (form, length) {
        case (.percent, _): return PercentEncoding.encode(value, uppercase: true)
        case (.ellipsis, let length?): return value.clippedWithDots(to: length)
        case (_, let length?): return value.clipped(to: length)
        case (_, nil): return value
        }
    }
}

extension String {
    /// Returns the beginning of the text, at most `length` UTF-16 code units; a surrogate pair is never split.
    ///
    /// That the service counts UTF-16 code units is an assumption, because it is written for .NET.
    func clipped(to length: Int) -> String {
        guard utf8.count > length else { return self }
        var units = 0
        var end = unicodeScalars.startIndex
        while end < unicodeScalars.endIndex {
            units += unicodeScalars[end].utf16.count
            guard units <= length else { break }
            end = unicodeScalars.index(after: end)
        }
        return String(self[..<end])
    }

    /// Returns the text, or its beginning and three dots if it is too long; at most `length` UTF-16 code units.
    func clippedWithDots(to length: Int) -> String {
        let dots = min(length, 3)
        guard utf8.count > length, utf16.count > length else { return self }
        return clipped(to: length - dots) + String(repeating: ".", count: dots)
    }

    /// Whether the service encodes the value of `#( )` as a JSON number: digits with an optional fraction and exponent, without
    /// sign or leading zeros
    /// (https://learn.microsoft.com/azure/notification-hubs/notification-hubs-templates-cross-platform-push-messages).
    var isTemplateNumber: Bool {
        var rest = utf8[...]
        func skipDigits() -> Int {
            let end = rest.firstIndex { !$0.isDigit } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest.distance(from: rest.startIndex, to: end)
        }
        func skip(_ allowed: String) -> Bool {
            guard let byte = rest.first, allowed.utf8.contains(byte) else { return false }
            rest.removeFirst()
            return true
        }
        let hasLeadingZero = rest.first == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole > 0, whole == 1 || !hasLeadingZero else { return false }
        if skip("."), skipDigits() == 0 { return false }
        if skip("eE") {
            _ = skip("+-")
            if skipDigits() == 0 { return false }
        }
        return rest.isEmpty
    }
}

/// The values for expressions: the properties of a message, then the push variables of one device.
///
/// Names ignore ASCII case. The precedence of a message's property over the device's variable of the same name is not
/// documented for the service.
package struct TemplateValues: Sendable, Hashable {
    private let properties: [String: String]
    /// The variables, with names in lower case. A list, because there are few.
    private let pushVariables: [NamedValue]

    /// Creates the values for a message and a device.
    ///
    /// - Parameters:
    ///   - properties: The message's properties; of names that differ only in case, the first is used.
    ///   - pushVariables: The device's push variables.
    package init(_ properties: [NamedValue], pushVariables: [NamedValue] = []) {
        self.init(
            properties: Dictionary(
                properties.lazy.map { ($0.name.lowercasedASCII, $0.value) },
                uniquingKeysWith: { first, _ in first }
            ),
            pushVariables: pushVariables
        )
    }

    private init(properties: [String: String], pushVariables: [NamedValue]) {
        self.properties = properties
        self.pushVariables = pushVariables.map { NamedValue($0.name.lowercasedASCII, $0.value) }
    }

    /// Returns the values of the same message for another device; reuses the message's properties.
    ///
    /// - Parameter pushVariables: The other device's push variables.
    /// - Returns: The values.
    package func with(pushVariables: [NamedValue]) -> TemplateValues {
        TemplateValues(properties: properties, pushVariables: pushVariables)
    }

    /// The value of a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value; `nil` if neither the message nor the device has one.
    package subscript(name: String) -> String? { value(ofKey: name.lowercasedASCII) }

    func value(ofKey key: String) -> String? {
        properties[key] ?? (pushVariables.isEmpty ? nil : pushVariables.first { $0.name == key }?.value)
    }
}

/// Parses the tokens of an expression from left to right.
struct TemplateExpressionParser {
    /// The first characters of expressions.
    private static let beginnings: Set<Unicode.Scalar> = ["$", ".", "%", "#", "{"]
    /// The minimum length of a token, in UTF-16 code units: `''` and one more character.
    private static let minimumToken = 3

    private let text: String
    private let hasBraces: Bool
    private var rest: Substring.UnicodeScalarView

    static func isExpression(_ text: String) -> Bool {
        text.unicodeScalars.first.map(beginnings.contains) ?? false
    }

    init(_ text: String) {
        self.text = text
        hasBraces = text.unicodeScalars.first == "{"
        rest = text.unicodeScalars[...]
    }

    mutating func expression() throws(TemplateError) -> [TemplateToken] {
        if hasBraces {
            guard rest.last == "}" else {
                throw error(.missingClosing, "Missing closing parentheses", at: rest.endIndex)
            }
            rest = rest.dropFirst().dropLast()
            while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        }
        var tokens = [try token()]
        while !rest.isEmpty {
            skipWhiteSpace()
            guard rest.first == "+" else { throw error(.invalidOperator, "Only valid composition operator is +") }
            rest.removeFirst()
            tokens.append(try token())
        }
        if hasBraces || tokens.count > 1, tokens.contains(where: \.isNumber) {
            throw error(
                .numberInComposite,
                "Token type '#(prop)' is not allowed in composite expression.",
                at: text.startIndex
            )
        }
        return tokens
    }

    private mutating func token() throws(TemplateError) -> TemplateToken {
        skipWhiteSpace()
        guard Substring(rest).utf16.prefix(Self.minimumToken).count == Self.minimumToken else {
            throw error(.tokenTooShort, "A token of at least \(Self.minimumToken) characters is missing")
        }
        switch rest.first {
        case "$":
            if Substring(rest.prefix(5)).lowercased() == "$body" {
                throw error(.bodyExpression, "Expression type '$body' is not supported.")
            }
            return .property(try reference(.text))
        case ".": return .property(try reference(.ellipsis))
        case "%": return .property(try reference(.percent))
        case "#": return .property(try reference(.number))
        case "'", "\"": return .literal(try literal())
        default:
            throw error(.invalidToken, "Token has to begin with one of these characters . % ' \" $")
        }
    }

    /// Parses a quoted text; a doubled quote stands for one quote.
    private mutating func literal() throws(TemplateError) -> String {
        let start = rest.startIndex
        let quote = rest.removeFirst()
        var literal = String.UnicodeScalarView()
        while let character = rest.popFirst() {
            if character == quote {
                guard rest.first == quote else { return String(literal) }
                rest.removeFirst()
            }
            literal.append(character)
        }
        throw error(.unclosedLiteral, "Literal is missing closing notation", at: start)
    }

    /// Parses `$(name)`, `$(name:{instead})` or `$(name, 20)`.
    private mutating func reference(_ form: TemplateReference.Form) throws(TemplateError) -> TemplateReference {
        let start = rest.startIndex
        rest.removeFirst()
        guard rest.popFirst() == "(" else {
            throw error(.missingOpening, "The character following $ or . or % should be a (", at: start)
        }
        let nameStart = rest.startIndex
        var name = String(String.UnicodeScalarView(prefix { $0 != ")" && $0 != "," && $0 != ":" })).trimmed
        var fallback: String?
        if rest.starts(with: ":{".unicodeScalars) {
            fallback = try defaultValue()
        } else if rest.first == ":" {
            name += ":"
        }
        guard let next = rest.first else { throw error(.missingClosing, "Missing closing parentheses", at: start) }
        try check(name, at: nameStart)
        guard next == "," || next == ")" else {
            throw error(.missingClosing, "Missing closing parentheses", at: start)
        }
        rest.removeFirst()
        let length = next == "," ? try length(for: form, from: start) : nil
        guard form != .ellipsis || length != nil else {
            throw error(.missingLength, "Error trying to parse for .(prop , n) format", at: start)
        }
        return TemplateReference(form: form, name: name, key: name.lowercasedASCII, length: length, fallback: fallback)
    }

    /// Parses from `:{` to the first `}` that is not escaped; `\` escapes the next character.
    private mutating func defaultValue() throws(TemplateError) -> String {
        let start = rest.startIndex
        rest.removeFirst(2)
        var value = String.UnicodeScalarView()
        while let character = rest.popFirst() {
            if character == "}" { return String(value) }
            if character != "\\" {
                value.append(character)
            } else if let escaped = rest.popFirst() {
                value.append(escaped)
            }
        }
        throw error(.unclosedDefault, "Missing default's end", at: start)
    }

    /// Parses the number between the comma and `)`.
    private mutating func length(
        for form: TemplateReference.Form,
        from token: String.Index
    ) throws(TemplateError) -> Int {
        guard form == .text || form == .ellipsis else {
            throw error(.unexpectedLength, "The expression %(prop , n) is not a valid", at: token)
        }
        let start = rest.startIndex
        let digits = String(String.UnicodeScalarView(prefix { $0 != ")" }))
        guard rest.popFirst() == ")" else {
            throw error(.missingClosing, "Missing closing parentheses", at: token)
        }
        guard let length = Int32(digits.trimmed), length >= 0 else {
            throw error(.invalidLength, "'\(digits.prefix(20))' is not a positive integer", at: start)
        }
        return Int(length)
    }

    private func check(_ name: String, at start: String.Index) throws(TemplateError) {
        let limit = TemplateProperty.maximumNameLength
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isPropertyCharacter }) else {
            throw error(
                .invalidProperty,
                "The property name '\(name.prefix(limit))' is not valid: allowed are the characters A-Z a-z 0-9 _",
                at: start
            )
        }
        guard name.utf8.count <= limit else {
            throw error(
                .propertyTooLong,
                "The property name has \(name.utf8.count) characters, the maximum is \(limit)",
                at: start
            )
        }
    }

    private mutating func prefix(while isWanted: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
        let prefix = rest.prefix(while: isWanted)
        rest = rest[prefix.endIndex...]
        return prefix
    }

    private mutating func skipWhiteSpace() {
        rest = rest.drop { $0.properties.isWhitespace }
    }

    private func error(_ code: TemplateError.Code, _ message: String, at place: String.Index? = nil) -> TemplateError {
        let offset = text.utf8.distance(from: text.startIndex, to: place ?? rest.startIndex)
        return TemplateError(code, message + ": '\(text.prefix(200))' (byte \(offset))", offset: offset)
    }
}

extension TemplateToken {
    fileprivate var isNumber: Bool {
        guard case .property(let reference) = self else { return false }
        return reference.form == .number
    }
}

extension String {
    /// The text without leading and trailing white space.
    fileprivate var trimmed: String {
        var rest = unicodeScalars[...]
        rest = rest.drop { $0.properties.isWhitespace }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
