import FoundationEssentials
import NewsflashCommandLineArguments
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes the results of a command. Lines are written at once, also into a pipe, where `print` would buffer them.
///
/// Characters that could control a terminal are escaped, because texts may be from others: from Kafka, a hub or a worker.
package enum StandardOutput {
    /// Writes a line. Line ends in it are escaped, too.
    package static func write(_ line: String) {
        write(Array(line.harmless.utf8))
    }

    /// Writes a line of UTF-8 as it is, such as JSON.
    static func write(_ line: [UInt8]) {
        DescriptorOutput.write(line: line, to: STDOUT_FILENO)
    }

    /// Writes lines, each as ``write(_:)`` does.
    static func write(lines: [String]) {
        for line in lines { write(line) }
    }

    /// Writes a text of several lines.
    static func writeText(_ text: String) {
        DescriptorOutput.write(line: Array(text.harmlessLines.utf8), to: STDOUT_FILENO)
    }
}

/// Writes notes, progress and errors of single records, with the same characters escaped.
package enum StandardError {
    /// Writes a line.
    package static func write(_ line: String) {
        DescriptorOutput.write(line: Array(line.harmless.utf8), to: STDERR_FILENO)
    }

    /// Writes a text of several lines.
    package static func writeText(_ text: String) {
        DescriptorOutput.write(line: Array(text.harmlessLines.utf8), to: STDERR_FILENO)
    }
}

extension StandardOutput {
    /// Whether it is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The form of text for it at this moment: the size of a terminal may change.
    static var style: ScreenStyle {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return ScreenStyle(
            isTerminal: isTerminal,
            size: isKnown ? (Int(size.ws_col), Int(size.ws_row)) : nil,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// Writes lines as ``write(lines:)`` does; words that do not fit a terminal continue on lines that are indented.
    static func write(folding lines: [String]) {
        let style = style
        write(laidOut: lines.flatMap { $0.lines(style) })
    }

    /// Writes lines of a ``TextTable``, or others in which characters that could control a terminal are already escaped.
    static func write(laidOut lines: [String]) {
        for line in lines { write(Array(line.utf8)) }
    }
}
