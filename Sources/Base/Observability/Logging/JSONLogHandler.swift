import StrictJSON
import Timestamps

/// Writes each entry as one line with a JSON object.
///
/// Members: `time`, `level`, `label`, `message`, then the metadata sorted by key. Metadata with one of these four names is
/// written as `metadata.time` and so on. A line has at most 16 KiB; a longer entry is shortened and marked with
/// `"log.truncated":true`.
package struct JSONLogHandler: LogHandler {
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
        // Most lines are printable ASCII. Finding the maximum is vectorized, unlike a search for the first byte.
        return line.reduce(0, max) >= 0x7F ? escaped(line) : line
    }

    /// Escapes characters that could control a terminal, which JSON allows unescaped in strings.
    private static func escaped(_ line: [UInt8]) -> [UInt8] {
        let (content, end) = (line.dropLast(), line.suffix(1))
        var escaped: [UInt8] = []
        escaped.append(escaping: String(decoding: content, as: UTF8.self), isQuoted: false)
        return escaped + end
    }

    private static func write(_ entry: LogEntry, into output: inout OutputSpan<UInt8>) {
        output.write(#"{"time":""#)
        output.write(atMost: Timestamp.lengthOfRFC3339) { entry.time.appendRFC3339(to: &$0) }
        output.write(#"","level":"#, quoted: entry.level.rawValue)
        output.write(#","label":"#, quoted: entry.label)
        output.write(#","message":"#, quoted: entry.message)
        if !entry.metadata.members.isEmpty {
            output.write(",")
            output.write(each: entry.metadata.members.span, separatedBy: ",") { member, output in
                output.write(quoted: memberName(member.key, in: entry.metadata))
                output.write(":")
                member.value.write(into: &output)
            }
        }
        output.write("}\n")
    }

    /// Returns a name that no other member has, because strict parsers refuse duplicate names.
    private static func memberName(_ key: String, in metadata: LogMetadata) -> String {
        guard isTaken(key) else { return key }
        var name = "metadata.\(key)"
        while metadata[name] != nil { name = "metadata.\(name)" }
        return name
    }

    /// Returns whether every line has a member of this name. Most keys are longer, which needs no comparison.
    private static func isTaken(_ key: String) -> Bool {
        switch key.utf8.count {
        case 4: key == "time"
        case 5: key == "level" || key == "label"
        case 7: key == "message"
        default: false
        }
    }
}

extension LogValue {
    fileprivate func write(into output: inout OutputSpan<UInt8>) {
        switch self {
        case .string(let value): output.write(quoted: value)
        case .integer(let value): output.write(integer: value)
        case .double(let value): output.write(atMost: 32) { $0.append(shortest: value) }
        case .boolean(true): output.write("true")
        case .boolean(false): output.write("false")
        }
    }
}
