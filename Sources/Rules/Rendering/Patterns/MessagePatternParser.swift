/// Reads the text of a pattern from left to right.
struct MessagePatternParser {
    private let characters: [Character]
    private let locales: OfferedLocales?
    private var position = 0
    private var literal = ""
    private var collected: [MessagePattern.Part] = []

    init(_ text: String, locales: OfferedLocales?) {
        self.characters = Array(text)
        self.locales = locales
    }

    mutating func parts() throws(MessagePatternError) -> [MessagePattern.Part] {
        guard characters.contains(where: { !$0.isWhitespace }) else {
            throw error("the pattern is empty; write at least {headline}", at: 0)
        }
        while position < characters.count {
            switch characters[position] {
            case "'": try readApostrophe()
            case "{": try readArgument()
            case "}": throw error("this } closes nothing; write '}' for a brace", at: position)
            default:
                literal.append(characters[position])
                position += 1
            }
        }
        endLiteral()
        return collected
    }

    private mutating func readApostrophe() throws(MessagePatternError) {
        let start = position
        position += 1
        guard position < characters.count, ["'", "{", "}"].contains(characters[position]) else {
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

    private mutating func readArgument() throws(MessagePatternError) {
        let start = position
        guard let end = characters[start...].firstIndex(of: "}") else {
            throw error("this { is never closed; write '{' for a brace", at: start)
        }
        let content = String(characters[start + 1..<end])
        let words = content.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        if words.count > 1 {
            throw error("{\(words[0]), \(words[1]), …} is not supported yet; only plain arguments are", at: start)
        }
        guard let name = words.first, let argument = PatternArgument(name, locales: locales) else {
            let fields = PatternArgument.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
            let localized = locales.map { "; also {headline_\($0.propertySuffixes[0])} and the like" } ?? ""
            throw error("{\(content)} is no argument; there are \(fields)\(localized)", at: start)
        }
        endLiteral()
        collected.append(.argument(argument))
        position = end + 1
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { collected.append(.literal(literal)) }
        literal = ""
    }

    private func error(_ message: String, at index: Int) -> MessagePatternError {
        MessagePatternError(message: message, position: index + 1)
    }
}
