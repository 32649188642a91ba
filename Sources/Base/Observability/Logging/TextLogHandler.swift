import StrictJSON
import Timestamps

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
        line.append(expecting: 512) { write(entry, into: &$0) }
        return line
    }

    private static func write(_ entry: LogEntry, into output: inout OutputSpan<UInt8>) {
        output.write(atMost: Timestamp.lengthOfRFC3339) { entry.time.appendRFC3339(to: &$0) }
        output.write(" ")
        output.write(word: entry.level.rawValue)
        output.write("  ")
        output.write(text: entry.message)
        if !entry.metadata.members.isEmpty {
            output.write("  ")
            output.write(each: entry.metadata.members.span, separatedBy: " ") { $0.write(into: &$1) }
        }
        output.write("\n")
    }
}

extension LogMetadata.Member {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        output.write(word: key)
        output.write("=")
        switch value {
        case .string(let value): output.write(word: value)
        case .integer(let value): output.write(integer: value)
        case .double(let value) where value.isFinite: output.write(atMost: 32) { $0.append(shortest: value) }
        case .double, .boolean: output.write(word: value.description)
        }
    }
}

extension OutputSpan<UInt8> {
    /// Writes a word, with quotes only if necessary.
    fileprivate mutating func write(word: String) {
        guard word.isEmpty || !(unsafe word.withBytes { unsafe writeBare($0) }) else { return }
        write(strange: word)
    }

    /// Writes a word that needs no quotes.
    ///
    /// - Returns: See ``writeWhole(_:marking:)``.
    @inline(never)
    private mutating func writeBare(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe writeWhole(word, marking: \.marksOfBareWords)
    }

    /// Writes a word that is empty or contains more than visible ASCII.
    @inline(never)
    private mutating func write(strange word: String) {
        let needsQuotes =
            word.isEmpty
            || word.unicodeScalars.contains { scalar in
                scalar.properties.isWhitespace || scalar.mustBeEscaped || "\"\\=".unicodeScalars.contains(scalar)
            }
        guard needsQuotes else {
            return unsafe word.withBytes { bytes in
                guard freeCapacity >= bytes.count else { return cutOff() }
                unsafe append(contentsOf: bytes)
            }
        }
        write("\"")
        write(text: word, isQuoted: true)
        write("\"")
    }

    /// Writes a text with its control characters escaped.
    fileprivate mutating func write(text: String, isQuoted: Bool = false) {
        guard !(unsafe text.withBytes { unsafe writePlain($0) }) else { return }
        var escaped: [UInt8] = []
        escaped.append(escaping: text, isQuoted: isQuoted)
        guard freeCapacity >= escaped.count else { return cutOff() }
        unsafe escaped.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Writes a text that needs no escapes.
    ///
    /// - Returns: See ``writeWhole(_:marking:)``.
    @inline(never)
    private mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe writeWhole(text, marking: \.marksOfQuotedText)
    }

    /// Writes a text if none of its bytes is marked, which is the usual case.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - marks: Sets the highest bit of each byte of a word that needs attention; only the lowest set bit counts.
    /// - Returns: `true` if the text was written, or the capacity was too small; nothing else needs to be written then.
    @inline(__always)
    private mutating func writeWhole(_ text: UnsafeBufferPointer<UInt8>, marking marks: (UInt64) -> UInt64) -> Bool {
        guard freeCapacity >= text.count else {
            cutOff()
            return true
        }
        let length = unsafe append(beginningOf: text, marking: marks)
        if length < text.count { removeLast(length) }
        return length == text.count
    }
}
