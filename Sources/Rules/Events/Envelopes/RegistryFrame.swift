/// The frame that serializers with a schema registry put before a value, or beside it as a header.
///
/// | first bytes | length of the frame | serializer |
/// |---|---|---|
/// | 0 | 5: the schema's number has four bytes | Confluent |
/// | 0 | 9: the schema's number has eight bytes | Apicurio |
/// | 1 | 17: the schema's GUID has sixteen bytes | Confluent |
/// | 3, 0 | 18: the schema's UUID has sixteen bytes | AWS Glue |
/// | 3, 5 | 18, and the rest is compressed | AWS Glue |
///
/// Newer clients of Confluent do not change the value and put byte 1 and the GUID into the header `__value_schema_id`. JSON
/// never begins with one of these bytes, so a frame is recognized without doubt. A JSON object must follow it; Avro and
/// Protobuf need their schemas.
enum RegistryFrame {
    private static let header = "__value_schema_id"

    /// Measures the frame.
    ///
    /// - Parameters:
    ///   - value: The record's value, at least one byte.
    ///   - headers: The record's headers.
    /// - Returns: The number of bytes before the event; 0 without a frame.
    /// - Throws: ``DecodeError`` if a frame is truncated, or is not followed by a JSON object.
    static func length(before value: Span<UInt8>, _ headers: [EventHeader]) throws(DecodeError) -> Int {
        let isNamed = headers.contains { $0.name == header && $0.value?.count == 17 && $0.value?.first == 1 }
        let length: Int
        switch value[0] {
        case _ where isNamed: length = 0
        case 0: length = 5
        case 1: length = 17
        case 3 where value.count > 1 && (value[1] == 0 || value[1] == 5): length = 18
        default: return 0
        }
        guard value.count > length else {
            throw DecodeError(
                .frame,
                "a schema registry's frame has \(length) bytes, followed by a text; the value has only \(value.count)"
            )
        }
        if !isNamed, value[0] == 3, value[1] == 5 {
            throw DecodeError(
                .frame,
                "the value is compressed by the AWS Glue serializer; set its compression to NONE, and use "
                    + "compression.type of the producer instead"
            )
        }
        if value.mayBeObject(from: length) { return length }
        if !isNamed, value[0] == 0, value.mayBeObject(from: 9) { return 9 }
        throw DecodeError(
            .frame,
            "the value is not a JSON object; Avro and Protobuf are not supported: set the producer's "
                + "serializer to JSON Schema"
        )
    }
}

extension Span<UInt8> {
    /// Whether the bytes from `start` begin with an opening brace, after a byte order mark and white space if any.
    fileprivate func mayBeObject(from start: Int) -> Bool {
        guard start < count else { return false }
        for index in start..<count {
            switch self[index] {
            case UInt8(ascii: "{"): return true
            case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: continue
            default: return false
            }
        }
        return false
    }
}
