/// The words around an event's texts: `"Alerte : {headline}"`, in a subset of ICU's MessageFormat.
///
/// Arguments are in braces. An apostrophe is itself, except before a brace: there it begins literal text up to the next
/// apostrophe: `'{'` is a brace; `''` is an apostrophe anywhere. The value of an argument is never parsed as a pattern. Words
/// may depend on an argument: `{kind, select, flash {Breaking} other {News}}`.
struct MessagePattern: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case argument(PatternArgument)
        case choice(MessageChoice)
    }

    /// The purpose of a pattern, which determines the allowed arguments.
    enum Use: Sendable {
        /// Words around a text. They are the same for all categories, so they cannot contain a category.
        case words
        /// A property of a template send, which may contain texts of one language, as in `{headline_fr}`.
        case property(OfferedLocales)
    }

    let parts: [Part]
    /// The distinct arguments.
    let arguments: Set<PatternArgument>
    /// Whether one of them is the headline.
    let hasHeadline: Bool
    /// Whether one of them is the summary.
    let hasSummary: Bool
    /// Whether one of them is not a text.
    let hasFacts: Bool
    /// Whether it consists only of `{headline}`.
    let isBareHeadline: Bool
    /// Whether words in it depend on an argument.
    let hasChoices: Bool
    /// The direction of the pattern's own words; `nil` if they have none.
    let direction: TextDirection?

    /// Reads a pattern.
    ///
    /// - Throws: ``MessagePatternError`` with the position of the first fault.
    init(_ text: String, for use: Use = .words) throws(MessagePatternError) {
        var parser = MessagePatternParser(text, for: use)
        self.init(try parser.parts())
    }

    private init(_ parts: [Part]) {
        self.parts = parts
        self.arguments = parts.reduce(into: []) { $1.collectArguments(into: &$0) }
        self.hasHeadline = arguments.contains(.headline)
        self.hasSummary = arguments.contains(.summary)
        self.hasFacts = arguments.contains { !$0.field.isText }
        self.isBareHeadline = parts == [.argument(.headline)]
        self.hasChoices = parts.contains { if case .choice = $0 { true } else { false } }
        let literals = parts.map { if case .literal(let literal) = $0 { literal } else { "" } }
        self.direction = TextDirection.ofFirstLetter(in: literals.joined())
    }

    /// All choices in it, including nested ones.
    var choices: [MessageChoice] { parts.reduce(into: []) { $1.collectChoices(into: &$0) } }

    /// Whether every text that the pattern can make contains the headline, regardless of the branches of its choices.
    var alwaysHasHeadline: Bool { Self.alwaysHaveHeadline(parts) }

    private static func alwaysHaveHeadline(_ parts: [Part]) -> Bool {
        parts.contains { part in
            switch part {
            case .literal: false
            case .argument(let argument): argument.field == .headline
            case .choice(let choice): choice.branches.allSatisfy { alwaysHaveHeadline($0.parts) }
            }
        }
    }

    /// The words that remain if every argument is empty and the longest branch of each choice is used.
    var longestWords: String { Self.longestWords(of: parts) }

    private static func longestWords(of parts: [Part]) -> String {
        parts.reduce(into: "") { words, part in
            switch part {
            case .literal(let literal): words += literal
            case .argument: break
            case .choice(let choice):
                words += choice.branches.map { longestWords(of: $0.parts) }.max { $0.count < $1.count } ?? ""
            }
        }
    }

    /// Resolves all choices.
    ///
    /// - Parameter value: Returns the text of an argument.
    /// - Returns: A pattern without choices.
    func chosen(_ value: (PatternArgument) -> String) -> MessagePattern {
        var flat: [Part] = []
        Self.choose(parts, value, into: &flat)
        return MessagePattern(flat)
    }

    private static func choose(_ parts: [Part], _ value: (PatternArgument) -> String, into flat: inout [Part]) {
        for part in parts {
            switch part {
            case .choice(let choice):
                choose(choice.parts(for: value(choice.argument)), value, into: &flat)
            case .literal(let literal):
                if case .literal(let before) = flat.last {
                    flat[flat.count - 1] = .literal(before + literal)
                } else {
                    flat.append(part)
                }
            case .argument: flat.append(part)
            }
        }
    }

    /// Inserts the values of arguments. Choices must be resolved before; otherwise they are left out.
    ///
    /// A text whose direction differs from that of the pattern's own words, or is unknown, is isolated (FSI, PDI), so that
    /// neither changes the direction of the other.
    ///
    /// - Parameter value: Returns the value of an argument.
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
            case .choice: continue
            }
        }
        return text
    }
}

extension MessagePattern.Part {
    fileprivate func collectArguments(into arguments: inout Set<PatternArgument>) {
        switch self {
        case .argument(let argument): arguments.insert(argument)
        case .choice(let choice):
            arguments.insert(choice.argument)
            for part in choice.branches.flatMap(\.parts) { part.collectArguments(into: &arguments) }
        case .literal: break
        }
    }

    fileprivate func collectChoices(into choices: inout [MessageChoice]) {
        guard case .choice(let choice) = self else { return }
        choices.append(choice)
        for part in choice.branches.flatMap(\.parts) { part.collectChoices(into: &choices) }
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

/// The error for a text that is not a pattern.
struct MessagePatternError: Error, Equatable {
    /// The problem and what to write instead.
    let message: String
    /// The position, counted in characters from 1.
    let position: Int

    /// The message with the position.
    var explanation: String { "\(message) (at character \(position))" }
}

/// A part of a pattern that depends on an argument: `{kind, select, flash {Breaking} other {News}}`.
struct MessageChoice: Sendable, Equatable {
    /// The words for one value.
    struct Branch: Sendable, Equatable {
        /// A value, or `other`.
        let selector: String
        let parts: [MessagePattern.Part]
    }

    let argument: PatternArgument
    /// The branches, with each selector once and with `other`.
    let branches: [Branch]

    /// Chooses the branch for a value.
    ///
    /// - Parameter value: One value, or several categories separated by commas.
    /// - Returns: The parts of the first branch for the value or one of the categories, otherwise those of `other`.
    func parts(for value: String) -> [MessagePattern.Part] {
        let values = value.split(separator: ",")
        let branch =
            branches.first { branch in values.contains { $0 == branch.selector } }
            ?? branches.first { $0.selector == "other" }
        return branch?.parts ?? []
    }
}

/// An argument in the braces of a pattern.
struct PatternArgument: Sendable, Hashable {
    /// The parts of an event that can be an argument.
    enum Field: String, Sendable, CaseIterable {
        case headline, summary, category, id, story, revision, kind, url, image

        /// Whether it is news text, which has a language and a direction.
        var isText: Bool { self == .headline || self == .summary }

        /// Whether a choice can depend on it.
        var isWord: Bool { self == .kind || self == .category || self == .revision }
    }

    let field: Field
    /// The index of the text's language among those offered; `nil` for the language that is being rendered.
    let localeIndex: Int?

    /// Reads the name of a field, or `headline_fr` and `summary_pt_BR` if languages are given.
    init?(_ name: some StringProtocol, locales: OfferedLocales?) {
        if let field = Field(rawValue: String(name)) {
            self.field = field
            self.localeIndex = nil
            return
        }
        let sides = name.split(separator: "_", maxSplits: 1)
        guard sides.count == 2, let field = Field(rawValue: String(sides[0])), field.isText,
            let index = locales?.index(ofName: sides[1])
        else { return nil }
        self.field = field
        self.localeIndex = index
    }
}
