/// Formats that are not JSON, recognized by their first bytes, so that a fault can name the format and the remedy.
enum ForeignFormat {
    /// Recognises a value that is not JSON.
    ///
    /// - Parameter value: The bytes after the frame.
    /// - Returns: The text to add to its fault; empty if the format is unknown.
    static func hint(for value: Span<UInt8>) -> String {
        for (beginning, hint) in hints where value.begins(with: beginning) { return "; " + hint }
        // The first field of a Protobuf message has the key of a number, or of a text followed by its length.
        let isProtobuf =
            value.count > 1 && (value[0] == 0x08 || value[0] == 0x0A && !mayFollowLineFeedInJSON(value[1]))
        return isProtobuf ? "; this may be Protobuf, which is not supported: send JSON" : ""
    }

    private static func mayFollowLineFeedInJSON(_ byte: UInt8) -> Bool { " \t\n\r{[\"".utf8.contains(byte) }

    private static let utf16 = "this looks like UTF-16, send UTF-8"
    private static let gzip =
        "the value was compressed before it was sent to Kafka; set compression.type of the producer instead"
    private static let avro = "this is Avro, which is not supported: send JSON"

    /// Checked from top to bottom.
    private static let hints: [(beginning: [UInt8], hint: String)] = [
        ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16), ([UInt8(ascii: "{"), 0], utf16),
        (
            Array("<".utf8),
            "this is XML, such as NITF or NewsML, which is not supported: send ninjs, or JSON for format: fields"
        ),
        (
            Array("FTMSG/".utf8),
            "this is FTMSG, with headers before the text: send the JSON after them as the value, and the "
                + "headers as those of the record"
        ),
        ([0x1F, 0x8B], gzip), ([0x28, 0xB5, 0x2F, 0xFD], gzip),
        ([0x78, 0x01], gzip), ([0x78, 0x5E], gzip), ([0x78, 0x9C], gzip), ([0x78, 0xDA], gzip),
        (Array("Obj\u{1}".utf8), avro), ([0xC3, 0x01], avro),
    ]
}

extension Span<UInt8> {
    fileprivate func begins(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        for index in other.indices where self[index] != other[index] { return false }
        return true
    }
}
