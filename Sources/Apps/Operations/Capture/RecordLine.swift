import NewsflashBasics
package import NewsflashEvents
import NewsflashStrictJSON
package import NewsflashTimestamps

/// A record of a topic as a line that ``RehearsalFiles`` reads: `{"appendAt":…,"source":…,"key":…,"headers":…,"value":…}`.
package struct RecordLine: Sendable, Equatable {
    /// The record's timestamp; `nil` if it has none.
    package var appendAt: Timestamp?
    /// The name of the source; `nil` if there is only one source.
    package var source: String?
    package var key: [UInt8]?
    package var headers: [EventHeader]
    /// `nil` for a tombstone.
    package var value: [UInt8]?

    /// The bytes of key, value and headers together.
    var byteCount: Int {
        headers.reduce((key?.count ?? 0) + (value?.count ?? 0)) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }

    /// The line without its line end. The headers are an object, or a list of pairs if a name occurs twice.
    package var json: [UInt8] {
        JSONWriter.object(reservingCapacity: 256 + (value?.count ?? 0)) { writer in
            writer.member("appendAt", appendAt?.rfc3339)
            writer.member("source", source)
            writer.member("key", key.map(BytesText.text))
            if !headers.isEmpty { write(headers, to: &writer) }
            writer.name("value")
            writer.value(orNull: value)
        }
    }

    private func write(_ headers: [EventHeader], to writer: inout JSONWriter) {
        let isObject = Set(headers.map(\.name)).count == headers.count
        writer.name("headers")
        if isObject { writer.beginObject() } else { writer.beginArray() }
        for header in headers {
            if isObject {
                writer.name(header.name)
            } else {
                writer.beginArray()
                writer.value(header.name)
            }
            writer.value(orNull: header.value)
            if !isObject { writer.endArray() }
        }
        if isObject { writer.endObject() } else { writer.endArray() }
    }
}

/// Bytes as a JSON string: as they are if they are UTF-8, otherwise as hexadecimal digits after `hex:`, such as `hex:00ff`.
enum BytesText {
    private static let mark = "hex:"

    /// Returns the text of bytes. Bytes that begin with `hex:` are also written as digits, so that they can be read back.
    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(mark) { return text }
        let digits = bytes.flatMap { byte in [byte >> 4, byte & 15].map { Array("0123456789abcdef".utf8)[Int($0)] } }
        return mark + String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes of a text: those of the digits after `hex:`, or the UTF-8 of any other text.
    static func bytes(of text: String) -> [UInt8] {
        guard text.hasPrefix(mark) else { return Array(text.utf8) }
        let digits = text.utf8.dropFirst(mark.utf8.count).map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return Array(text.utf8) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }
}

extension JSONWriter {
    fileprivate mutating func value(orNull bytes: [UInt8]?) {
        if let bytes { value(BytesText.text(of: bytes)) } else { null() }
    }
}
