import StrictJSON
import Timestamps

/// Writes each entry as one line for people.
///
/// `2026-03-02T08:40:00.050Z info  message  key=value key="two words"`, with keys sorted and control characters escaped,
/// so that no value can forge a line or steer a terminal. The label is left out. A line has at most 16 KiB; a longer
/// entry is shortened and says so with `log.truncated=true`.
package struct TextLogHandler: LogHandler {
    private let output: LineOutput

    /// Makes a handler.
    ///
    /// - Parameter fileDescriptor: Where lines go, standard error unless said; it stays the caller's and must stay open.
    package init(fileDescriptor: Int32 = 2) {
        output = LineOutput(fileDescriptor: fileDescriptor) { Self.line(.dropped($0)) }
    }

    /// Leaves the line for the thread that writes; what finds no room there is dropped and counted.
    package func log(_ entry: LogEntry) {
        output.write(Self.line(entry), isUrgent: entry.level == .critical)
    }

    package var droppedLines: Int { output.droppedLines }

    package func flush(within patience: Duration) -> Bool { output.flush(within: patience) }

    /// The line with its end.
    static func line(_ entry: LogEntry) -> [UInt8] {
        entry.line(unboundedLine)
    }

    private static func unboundedLine(_ entry: LogEntry) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        entry.time.appendRFC3339(to: &line)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: entry.level.rawValue.utf8)
        line.append(contentsOf: "  ".utf8)
        line.append(escaping: entry.message, isQuoted: false)
        line.append(UInt8(ascii: " "))
        for member in entry.metadata.members {
            line.append(UInt8(ascii: " "))
            append(word: member.key, to: &line)
            line.append(UInt8(ascii: "="))
            switch member.value {
            case .string(let value): append(word: value, to: &line)
            case .integer(let value): JSONWriter.appendInteger(value, to: &line)
            case .double, .boolean: append(word: member.value.description, to: &line)
            }
        }
        if entry.metadata.members.isEmpty { line.removeLast() }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Appends a word bare where it is one, quoted where it would fall apart.
    private static func append(word: String, to line: inout [UInt8]) {
        var bare = word
        let isBare = bare.withUTF8 { bytes in
            guard unsafe bytes.isBareASCIIWord else { return false }
            unsafe line.append(contentsOf: bytes)
            return true
        }
        guard !isBare else { return }
        let needsQuotes =
            word.isEmpty
            || word.unicodeScalars.contains { scalar in
                scalar.properties.isWhitespace || scalar.mustBeEscaped || "\"\\=".unicodeScalars.contains(scalar)
            }
        guard needsQuotes else { return line.append(contentsOf: word.utf8) }
        line.append(UInt8(ascii: "\""))
        line.append(escaping: word, isQuoted: true)
        line.append(UInt8(ascii: "\""))
    }
}
