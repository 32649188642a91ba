import ASCII

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
