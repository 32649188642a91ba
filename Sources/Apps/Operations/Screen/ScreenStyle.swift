/// The form of text for a reader: on a terminal with colours and fitted to its width, in a file or a pipe plain.
package struct ScreenStyle: Sendable, Equatable {
    /// The urgency of a word for the user. A word that needs nobody has none.
    package enum Tone: Sendable {
        case caution
        case bad
    }

    /// Whether words are coloured.
    let isColored: Bool
    /// The number of characters in a line; `nil` without a limit.
    package let width: Int?
    /// The number of lines; `nil` without a limit.
    let height: Int?

    /// The style without colours and limits.
    package static let plain = ScreenStyle(isTerminal: false, size: nil, environment: [:])

    /// The narrowest width that text is fitted to. On a narrower terminal the lines break anywhere.
    private static let narrowest = 20

    /// Chooses a style. Colours need a terminal and no `NO_COLOR` (https://no-color.org).
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the output is a terminal.
    ///   - size: The size of the terminal; `nil` if it is not known. Then `COLUMNS` has the width.
    ///   - environment: The environment, with `NO_COLOR`, `TERM` and `COLUMNS`.
    package init(isTerminal: Bool, size: (width: Int, height: Int)?, environment: [String: String]) {
        let wantsNone = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isColored = isTerminal && !wantsNone
        let columns = size?.width ?? environment["COLUMNS"].flatMap { Int($0) }
        width = columns.flatMap { $0 > 0 ? max($0, Self.narrowest) : nil }
        height = size.flatMap { $0.height > 0 ? $0.height : nil }
    }

    /// Formats a word for a status.
    ///
    /// - Parameters:
    ///   - word: A word such as `ok`, which must be clear without its colour.
    ///   - tone: The meaning of the word.
    /// - Returns: The word, bold or bold red if words are coloured. Other colours are hard to read on light or dark screens.
    package func word(_ word: String, _ tone: Tone) -> String {
        guard isColored else { return word }
        let code =
            switch tone {
            case .caution: "1"
            case .bad: "1;31"
            }
        return "\u{1B}[\(code)m\(word)\u{1B}[0m"
    }
}
