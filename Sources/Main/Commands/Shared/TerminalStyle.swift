#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The style of words: coloured on a terminal unless NO_COLOR is set (https://no-color.org), otherwise plain.
struct TerminalStyle: Sendable, Equatable {
    /// The meaning of a word for the user.
    enum Tone: Sendable {
        case good
        case caution
        case bad
    }

    /// Whether words are coloured.
    let isColored: Bool

    /// The style without colours.
    static let plain = TerminalStyle(isColored: false)

    /// The style of the standard output.
    ///
    /// - Parameter environment: The environment of the process.
    /// - Returns: The style, which is plain for a file or a pipe.
    static func standardOutput(_ environment: [String: String]) -> TerminalStyle {
        TerminalStyle(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
    }

    /// Chooses a style.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the output is a terminal.
    ///   - environment: The environment, with `NO_COLOR` and `TERM`.
    init(isTerminal: Bool, environment: [String: String]) {
        let wantsNone = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isColored = isTerminal && !wantsNone
    }

    private init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Formats a word for a status.
    ///
    /// - Parameters:
    ///   - word: A word such as `ok`, which must be clear without its colour.
    ///   - tone: The meaning of the word.
    /// - Returns: The word, with a colour if words are coloured.
    func status(_ word: String, _ tone: Tone) -> String {
        guard isColored else { return word }
        let code =
            switch tone {
            case .good: "32"
            case .caution: "33"
            case .bad: "1;31"
            }
        return "\u{1B}[\(code)m\(word)\u{1B}[0m"
    }
}
