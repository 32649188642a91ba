import NewsflashStrictJSON
import NewsflashTimestamps

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
        let line = written(entry)
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

    private static func written(_ entry: LogEntry) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.member("time", plainAtMost: Timestamp.lengthOfRFC3339) { entry.time.appendRFC3339(to: &$0) }
        writer.member("level", entry.level.rawValue)
        writer.member("label", entry.label)
        writer.member("message", entry.message)
        for member in entry.metadata.members {
            writer.name(memberName(member.key, in: entry.metadata))
            member.value.write(into: &writer)
        }
        writer.endObject()
        var line = writer.finish()
        line.append(UInt8(ascii: "\n"))
        return line
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
    fileprivate func write(into writer: inout JSONWriter) {
        switch self {
        case .string(let value): writer.value(value)
        case .integer(let value): writer.value(value)
        case .double(let value): writer.value(value)
        case .boolean(let value): writer.value(value)
        }
    }
}
