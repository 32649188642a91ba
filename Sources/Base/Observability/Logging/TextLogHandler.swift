import NewsflashStrictJSON
import NewsflashTimestamps

/// Writes each entry as one line of text.
///
/// Example: `2026-03-02T08:40:00.050Z info  message  key=value key="two words"`. Keys are sorted and control characters
/// escaped, so that no value can forge a line or control a terminal. The label is omitted. A line has at most 16 KiB; a
/// longer entry is shortened and marked with `log.truncated=true`.
package struct TextLogHandler: LogHandler {
    private let output: LogSink

    /// Creates a handler.
    ///
    /// - Parameter fileDescriptor: The output, by default standard error. The caller owns it and must keep it open.
    package init(fileDescriptor: Int32 = 2) {
        output = LogSink(fileDescriptor: fileDescriptor) { Self.line(.dropped($0)) }
    }

    /// Queues the line for the writing thread; it is dropped and counted if the queue is full.
    package func log(_ entry: LogEntry) {
        output.write(Self.line(entry), isUrgent: entry.level == .critical)
    }

    package var droppedLines: Int { output.droppedLines }

    package func flush(within patience: Duration) -> Bool { output.flush(within: patience) }

    /// Returns the line including its line feed.
    static func line(_ entry: LogEntry) -> [UInt8] {
        entry.line(unboundedLine)
    }

    private static func unboundedLine(_ entry: LogEntry) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        line.append(addingCapacity: Timestamp.lengthOfRFC3339) { entry.time.appendRFC3339(to: &$0) }
        line.append(UInt8(ascii: " "))
        line.append(word: entry.level.rawValue)
        line.append(contentsOf: "  ".utf8)
        line.append(text: entry.message)
        for (index, member) in entry.metadata.members.enumerated() {
            line.append(contentsOf: (index == 0 ? "  " : " ").utf8)
            line.append(member)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ member: LogMetadata.Member) {
        append(word: member.key)
        append(UInt8(ascii: "="))
        switch member.value {
        case .string(let value): append(word: value)
        case .integer(let value): append(addingCapacity: 20) { $0.append(digitsOf: value) }
        case .double(let value) where value.isFinite: append(addingCapacity: 32) { $0.append(shortest: value) }
        case .double, .boolean: append(word: member.value.description)
        }
    }

    /// Appends a word, with quotes only if necessary.
    fileprivate mutating func append(word: String) {
        guard word.isEmpty || !appendWhole(word, marking: \.marksOfBareWords) else { return }
        append(strange: word)
    }

    /// Appends a word that is empty or contains more than visible ASCII.
    private mutating func append(strange word: String) {
        let needsQuotes =
            word.isEmpty
            || word.unicodeScalars.contains { scalar in
                scalar.properties.isWhitespace || scalar.mustBeEscaped || "\"\\=".unicodeScalars.contains(scalar)
            }
        guard needsQuotes else { return append(contentsOf: word.utf8) }
        append(UInt8(ascii: "\""))
        append(text: word, isQuoted: true)
        append(UInt8(ascii: "\""))
    }

    /// Appends a text with its control characters escaped.
    fileprivate mutating func append(text: String, isQuoted: Bool = false) {
        guard !appendWhole(text, marking: \.marksOfQuotedText) else { return }
        append(escaping: text, isQuoted: isQuoted)
    }

    /// Appends a text if none of its bytes is marked, which is the usual case.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - marks: Sets the highest bit of each byte of a word that needs attention; only the lowest set bit counts.
    /// - Returns: Whether the text was appended.
    private mutating func appendWhole(_ text: String, marking marks: (UInt64) -> UInt64) -> Bool {
        unsafe text.withBytes { text in
            var length = 0
            append(addingCapacity: text.count) { length = unsafe $0.append(beginningOf: text, marking: marks) }
            if length < text.count { removeLast(length) }
            return length == text.count
        }
    }
}
