/// Splits the lines of examples as a shell does, within what the examples need.
enum ShellWords {
    /// Splits a line into commands and their words, at pipes, lists and substitutions; redirections are left out.
    ///
    /// - Parameter line: A line with quotes and comments as in a shell.
    /// - Returns: The commands in their order.
    static func commands(in line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        var skipsNext = false
        func end(_ commands: inout [[String]], _ word: inout String?) {
            guard let finished = word.take() else { return }
            if skipsNext { skipsNext = false } else { commands[commands.count - 1].append(finished) }
        }
        var rest = line[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
                continue
            }
            switch character {
            case "'", "\"":
                quote = character
                word = word ?? ""
            case "\\":
                if let next = rest.popFirst() { word = (word ?? "") + String(next) }
            case " ":
                end(&commands, &word)
            case "#" where word == nil:
                rest = ""
            case "|", "&", ";", ")":
                end(&commands, &word)
                commands.append([])
            case "<", ">":
                end(&commands, &word)
                if rest.first == "(" {
                    rest.removeFirst()
                    commands.append([])
                } else {
                    skipsNext = true
                }
            default:
                word = (word ?? "") + String(character)
            }
        }
        end(&commands, &word)
        return commands.filter { !$0.isEmpty }
    }
}
