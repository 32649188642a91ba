import CommandLineArguments
import Observability
import Operations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes the results of a command. Lines are written at once, also into a pipe, where `print` would buffer them.
package enum StandardOutput {
    /// Writes a line.
    ///
    /// - Parameter line: The line without its line end.
    package static func write(_ line: String) {
        write(Array(line.utf8))
    }

    /// Writes a line of UTF-8.
    ///
    /// - Parameter line: The line without its line end.
    static func write(_ line: [UInt8]) {
        DescriptorOutput.write(line: line, to: STDOUT_FILENO)
    }
}

/// Writes notes, progress and errors of single records.
package enum StandardError {
    /// Writes a line.
    ///
    /// - Parameter line: The line without its line end.
    package static func write(_ line: String) {
        DescriptorOutput.write(line: Array(line.utf8), to: STDERR_FILENO)
    }
}

extension StandardOutput {
    /// Writes lines with text from others. Characters that could control a terminal are escaped.
    ///
    /// - Parameter lines: The lines without line ends.
    static func write(lines: [String]) {
        for line in lines { write(line.harmless) }
    }
}

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
