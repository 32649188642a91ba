/// Words around an event's texts: `"Alerte : {headline}"`, in a subset of ICU's MessageFormat.
///
/// Arguments stand in braces. An apostrophe is itself, except before a brace, where it begins literal text that goes on to
/// the next apostrophe: `'{'` is a brace; `''` is an apostrophe anywhere. What is put in for an argument is never read as
/// a pattern. `plural` and `select` are not supported yet.
struct MessagePattern: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case argument(PatternArgument)
    }

    let parts: [Part]
    /// The arguments in it, each once.
    let arguments: Set<PatternArgument>
    /// Direction of the pattern's own words; `nil` where it has none.
    let direction: TextDirection?

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - text: The whole pattern.
    ///   - locales: The languages whose texts it may name, as in `{headline_fr}`; `nil` for none.
    /// - Throws: ``MessagePatternError`` with the place of the first fault.
    init(_ text: String, locales: OfferedLocales? = nil) throws(MessagePatternError) {
        var parser = MessagePatternParser(text, locales: locales)
        let parts = try parser.parts()
        self.parts = parts
        self.arguments = Set(parts.compactMap { if case .argument(let argument) = $0 { argument } else { nil } })
        let literals = parts.map { if case .literal(let literal) = $0 { literal } else { "" } }
        self.direction = TextDirection.ofFirstLetter(in: literals.joined())
    }

    /// Whether it is `{headline}` and nothing else.
    var isBareHeadline: Bool {
        parts.count == 1 && parts[0] == .argument(PatternArgument.headline)
    }

    /// Puts values in.
    ///
    /// A text whose direction differs from that of the pattern's own words, or is unknown, is isolated (FSI, PDI), so that
    /// neither turns the other around.
    ///
    /// - Parameter value: What an argument stands for.
    /// - Returns: The whole text.
    func formatted(_ value: (PatternArgument) -> String) -> String {
        if parts.count == 1, case .argument(let argument) = parts[0] { return value(argument) }
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .argument(let argument):
                let value = value(argument)
                let isIsolated =
                    argument.field.isText && !value.isEmpty && direction != nil
                    && TextDirection.ofFirstLetter(in: value) != direction
                if isIsolated { text.append(TextDirection.isolateStart) }
                text += value
                if isIsolated { text.append(TextDirection.isolateEnd) }
            }
        }
        return text
    }
}

extension PatternArgument {
    static let headline = PatternArgument(field: .headline, localeIndex: nil)
    static let summary = PatternArgument(field: .summary, localeIndex: nil)

    private init(field: Field, localeIndex: Int?) {
        self.field = field
        self.localeIndex = localeIndex
    }
}

/// Why a text is no pattern.
struct MessagePatternError: Error, Equatable {
    /// What is wrong and what to write instead.
    let message: String
    /// Where, counted in characters from 1.
    let position: Int

    /// The message with the place.
    var explanation: String { "\(message) (at character \(position))" }
}
