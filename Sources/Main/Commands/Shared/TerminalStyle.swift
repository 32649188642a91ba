#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How words are shown: coloured on a terminal, unless who sits at it wants none (https://no-color.org), plain elsewhere.
struct TerminalStyle: Sendable, Equatable {
    /// What a word means to who looks for it.
    enum Tone: Sendable {
        case good
        case caution
        case bad
    }

    /// Whether words are coloured.
    let isColored: Bool

    /// Without colours.
    static let plain = TerminalStyle(isColored: false)

    /// That of the standard output.
    ///
    /// - Parameter environment: Of the process.
    /// - Returns: Plain where the output goes into a file or a pipe.
    static func standardOutput(_ environment: [String: String]) -> TerminalStyle {
        TerminalStyle(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment)
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether a person looks.
    ///   - environment: With `NO_COLOR` and `TERM`.
    init(isTerminal: Bool, environment: [String: String]) {
        let wantsNone = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isColored = isTerminal && !wantsNone
    }

    private init(isColored: Bool) {
        self.isColored = isColored
    }

    /// A word that says how something stands.
    ///
    /// - Parameters:
    ///   - word: Such as `ok`; it says the same without a colour.
    ///   - tone: What it means.
    /// - Returns: The word, with a colour where there are any.
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
