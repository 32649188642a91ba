/// Reads the text of a pattern from left to right.
struct MessagePatternParser {
    /// How deep choices may lie in choices.
    private static let maximumDepth = 4

    private let characters: [Character]
    private let locales: OfferedLocales?
    private var position = 0

    init(_ text: String, locales: OfferedLocales?) {
        self.characters = Array(text)
        self.locales = locales
    }

    mutating func parts() throws(MessagePatternError) -> [MessagePattern.Part] {
        guard characters.contains(where: { !$0.isWhitespace }) else {
            throw error("the pattern is empty; write at least {headline}", at: 0)
        }
        return try words(depth: 0, inPlural: false)
    }

    /// Reads to the end, or within a choice to the brace that closes it.
    private mutating func words(depth: Int, inPlural: Bool) throws(MessagePatternError) -> [MessagePattern.Part] {
        var parts: [MessagePattern.Part] = []
        var literal = ""
        func endLiteral() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }
        while position < characters.count {
            switch characters[position] {
            case "'": try readApostrophe(into: &literal, inPlural: inPlural)
            case "{":
                endLiteral()
                parts.append(try argument(depth: depth))
            case "}" where depth > 0:
                endLiteral()
                return parts
            case "}": throw error("this } closes nothing; write '}' for a brace", at: position)
            case "#" where inPlural:
                endLiteral()
                parts.append(.number)
                position += 1
            default:
                literal.append(characters[position])
                position += 1
            }
        }
        endLiteral()
        return parts
    }

    private mutating func readApostrophe(into literal: inout String, inPlural: Bool) throws(MessagePatternError) {
        let start = position
        position += 1
        let quotable: [Character] = inPlural ? ["'", "{", "}", "#"] : ["'", "{", "}"]
        guard position < characters.count, quotable.contains(characters[position]) else {
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
        guard let argument = PatternArgument(name, locales: locales) else {
            let fields = PatternArgument.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
            let localized = locales.map { "; also {headline_\($0.propertySuffixes[0])} and the like" } ?? ""
            throw error("{\(name)} is no argument; there are \(fields)\(localized)", at: start)
        }
        let isPlain = characters[position] == "}"
        position += 1
        if isPlain { return .argument(argument) }
        return .choice(try choice(of: argument, name: name, from: start, depth: depth + 1))
    }

    private mutating func choice(
        of argument: PatternArgument,
        name: String,
        from start: Int,
        depth: Int
    ) throws(MessagePatternError) -> MessageChoice {
        let kind = word(upTo: [",", "}"])
        guard let style = MessageChoice.Style(rawValue: kind), position < characters.count, characters[position] == ","
        else {
            throw error("{\(name), \(kind), …} is no choice; there are plural and select, with their words", at: start)
        }
        guard style == .plural ? argument.field == .revision : argument.field.isWord else {
            let able = style == .plural ? "{revision} is a number" : "{kind}, {category} and {revision} are"
            throw error("{\(name)} has no \(style.rawValue); only \(able)", at: start)
        }
        guard depth <= Self.maximumDepth else {
            throw error("this choice lies in more than \(Self.maximumDepth - 1) others", at: start)
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
            guard isSelector(selector, style) else {
                throw error(
                    "\"\(selector)\" is no \(style == .plural ? "form: zero, one, two, few, many, other or =1" : "value")",
                    at: place
                )
            }
            guard !branches.contains(where: { $0.selector == selector }) else {
                throw error("has words for \"\(selector)\" twice", at: place)
            }
            position += 1
            let parts = try words(depth: depth, inPlural: style == .plural)
            guard position < characters.count else {
                throw error("this { is never closed; write '{' for a brace", at: start)
            }
            position += 1
            branches.append(MessageChoice.Branch(selector: selector, parts: parts))
        }
        guard branches.contains(where: { $0.selector == "other" }) else {
            throw error("{\(name), \(kind), …} has no words for other", at: start)
        }
        return MessageChoice(argument: argument, style: style, branches: branches)
    }

    private func isSelector(_ selector: String, _ style: MessageChoice.Style) -> Bool {
        switch style {
        case .select: !selector.isEmpty && !selector.contains(where: \.isWhitespace)
        case .plural:
            PluralCategory(rawValue: selector) != nil || selector.first == "=" && UInt64(selector.dropFirst()) != nil
        }
    }

    /// What stands before one of some characters, without blanks around it.
    private mutating func word(upTo ends: [Character]) -> String {
        let start = position
        while position < characters.count, !ends.contains(characters[position]) { position += 1 }
        let word = characters[start..<position].drop(while: \.isWhitespace)
        return String(word.prefix((word.lastIndex { !$0.isWhitespace } ?? word.startIndex - 1) - word.startIndex + 1))
    }

    private func error(_ message: String, at index: Int) -> MessagePatternError {
        MessagePatternError(message: message, position: index + 1)
    }
}
