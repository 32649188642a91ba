import StrictJSON
import Timestamps

/// Writes each entry as one line with a JSON object.
///
/// Members: `time`, `level`, `label`, `message`, then the metadata sorted by key. Metadata with one of these four names
/// is written as `metadata.time` and so on. A line has at most 16 KiB; a longer entry is shortened and says so with
/// `"log.truncated":true`.
package struct JSONLogHandler: LogHandler {
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
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        writer.name("time")
        writer.plainString(atMost: Timestamp.lengthOfRFC3339) { entry.time.appendRFC3339(to: &$0) }
        writer.name("level")
        writer.value(entry.level.rawValue)
        writer.name("label")
        writer.value(entry.label)
        writer.name("message")
        writer.value(entry.message)
        for member in entry.metadata.members {
            writer.name(memberName(member.key, in: entry.metadata))
            switch member.value {
            case .string(let value): writer.value(value)
            case .integer(let value): writer.value(value)
            case .double(let value): writer.value(value)
            case .boolean(let value): writer.value(value)
            }
        }
        writer.endObject()
        var line = writer.takeBytes()
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// A name that no other member has, since strict readers refuse an object with a name twice.
    private static func memberName(_ key: String, in metadata: LogMetadata) -> String {
        guard key == "time" || key == "level" || key == "label" || key == "message" else { return key }
        var name = "metadata.\(key)"
        while metadata[name] != nil { name = "metadata.\(name)" }
        return name
    }
}
