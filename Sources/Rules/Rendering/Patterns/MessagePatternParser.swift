/// A parser that reads the text of a pattern from left to right.
struct MessagePatternParser {
    /// The maximum depth of nested choices.
    private static let maximumDepth = 4

    private let characters: [Character]
    private let use: MessagePattern.Use
    private var position = 0

    init(_ text: String, for use: MessagePattern.Use) {
        self.characters = Array(text)
        self.use = use
    }

    mutating func parts() throws(MessagePatternError) -> [MessagePattern.Part] {
        guard characters.contains(where: { !$0.isWhitespace }) else {
            throw error("the pattern is empty; write at least {headline}", at: 0)
        }
        return try words(depth: 0)
    }

    /// Reads to the end, or within a choice to its closing brace.
    private mutating func words(depth: Int) throws(MessagePatternError) -> [MessagePattern.Part] {
        var parts: [MessagePattern.Part] = []
        var literal = ""
        func endLiteral() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }
        while position < characters.count {
            switch characters[position] {
            case "'": try readApostrophe(into: &literal)
            case "{":
                endLiteral()
                parts.append(try argument(depth: depth))
            case "}" where depth > 0:
                endLiteral()
                return parts
            case "}": throw error("this } has no matching {; write '}' for a brace", at: position)
            default:
                literal.append(characters[position])
                position += 1
            }
        }
        endLiteral()
        return parts
    }

    private mutating func readApostrophe(into literal: inout String) throws(MessagePatternError) {
        let start = position
        position += 1
        guard position < characters.count, "'{}".contains(characters[position]) else {
            literal.append("'")
            return
        }
        if characters[position] == "'" {
            literal.append("'")
            position += 1
            return
        }
        while position < characters.count {
            let character = characters[position]
            position += 1
            guard character == "'" else {
                literal.append(character)
                continue
            }
            guard position < characters.count, characters[position] == "'" else { return }
            literal.append("'")
            position += 1
        }
        throw error(
            "this apostrophe before a brace begins literal text that never ends; write '' for an apostrophe",
            at: start
        )
    }

    private mutating func argument(depth: Int) throws(MessagePatternError) -> MessagePattern.Part {
        let start = position
        position += 1
        let name = word(upTo: [",", "}"])
        guard position < characters.count else {
            throw error("this { is never closed; write '{' for a brace", at: start)
        }
        let argument = try read(argument: name, at: start)
        let isPlain = characters[position] == "}"
        position += 1
        if isPlain { return .argument(argument) }
        return .choice(try choice(of: argument, name: name, from: start, depth: depth + 1))
    }

    private func read(argument name: String, at start: Int) throws(MessagePatternError) -> PatternArgument {
        let localized: String
        switch use {
        case .words:
            if let argument = PatternArgument(name, locales: nil) {
                guard argument.field == .category else { return argument }
                throw error(
                    "{category} has no value in this pattern, which is the same for all categories of an event; "
                        + "use it in send.properties",
                    at: start
                )
            }
            localized = ""
        case .property(let locales):
            if let argument = PatternArgument(name, locales: locales) { return argument }
            localized = "; also {headline_\(locales.propertySuffixes[0])} and so on"
        }
        let fields = PatternArgument.Field.allCases.filter { field in
            if case .words = use { field != .category } else { true }
        }
        let names = fields.map { "{\($0.rawValue)}" }.joined(separator: " ")
        throw error("{\(name)} is not an argument; use one of \(names)\(localized)", at: start)
    }

    private mutating func choice(
        of argument: PatternArgument,
        name: String,
        from start: Int,
        depth: Int
    ) throws(MessagePatternError) -> MessageChoice {
        let style = word(upTo: [",", "}"])
        guard style != "plural" else {
            throw error(
                "{\(name), plural, …} is not supported, because no argument is a number that subscribers count; write the "
                    + "words without a number, or {\(name), select, 1 {…} other {…}}",
                at: start
            )
        }
        guard style == "select", position < characters.count, characters[position] == "," else {
            throw error("{\(name), \(style), …} is not a choice; write {\(name), select, … other {…}}", at: start)
        }
        guard argument.field.isWord else {
            throw error("{\(name)} cannot be used with select; only \(selectable) can", at: start)
        }
        guard depth <= Self.maximumDepth else {
            throw error("this choice is nested in more than \(Self.maximumDepth - 1) others", at: start)
        }
        position += 1
        var branches: [MessageChoice.Branch] = []
        while true {
            let place = position
            let selector = word(upTo: ["{", "}"])
            guard position < characters.count else {
                throw error("this { is never closed; write '{' for a brace", at: start)
            }
            if characters[position] == "}" {
                guard selector.isEmpty else { throw error("\"\(selector)\" has no words in braces", at: place) }
                position += 1
                break
            }
            guard !selector.isEmpty, !selector.contains(where: \.isWhitespace) else {
                throw error("\"\(selector)\" is not a value; write one word before its {…}", at: place)
            }
            guard !branches.contains(where: { $0.selector == selector }) else {
                throw error("has words for \"\(selector)\" twice", at: place)
            }
            position += 1
            let parts = try words(depth: depth)
            guard position < characters.count else {
                throw error("this { is never closed; write '{' for a brace", at: start)
            }
            position += 1
            branches.append(MessageChoice.Branch(selector: selector, parts: parts))
        }
        guard branches.contains(where: { $0.selector == "other" }) else {
            throw error("{\(name), select, …} has no words for other", at: start)
        }
        return MessageChoice(argument: argument, branches: branches)
    }

    /// The arguments on which a choice can depend.
    private var selectable: String {
        if case .words = use { "{kind} and {revision}" } else { "{kind}, {category} and {revision}" }
    }

    /// Reads up to one of the given characters, and drops white space around the result.
    private mutating func word(upTo ends: [Character]) -> String {
        let start = position
        while position < characters.count, !ends.contains(characters[position]) { position += 1 }
        var word = characters[start..<position].drop(while: \.isWhitespace)
        while word.last?.isWhitespace == true { word.removeLast() }
        return String(word)
    }

    private func error(_ message: String, at index: Int) -> MessagePatternError {
        MessagePatternError(message: message, position: index + 1)
    }
}
