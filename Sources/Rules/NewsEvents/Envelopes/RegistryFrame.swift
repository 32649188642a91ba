/// The frame that serializers with a schema registry put before a value, or beside it as a header.
///
/// | first bytes | length of the frame | serializer |
/// |---|---|---|
/// | 0 | 5: the schema's number has four bytes | Confluent |
/// | 0 | 9: the schema's number has eight bytes | Apicurio |
/// | 1 | 17: the schema's GUID has sixteen bytes | Confluent |
/// | 3, 0 | 18: the schema's UUID has sixteen bytes | AWS Glue |
/// | 3, 5 | 18, and what follows is compressed | AWS Glue |
///
/// Newer clients of Confluent leave the value as it is and put byte 1 and the GUID into the header `__value_schema_id`. JSON begins
/// with none of these bytes, so a frame is sure to be one. It must be followed by an object in JSON; Avro and Protobuf need
/// their schemas.
enum RegistryFrame {
    private static let header = "__value_schema_id"

    /// Measures the frame.
    ///
    /// - Parameters:
    ///   - value: The record's value, at least one byte.
    ///   - headers: The record's headers.
    /// - Returns: How many bytes come before the event; 0 without a frame.
    /// - Throws: ``Refusal`` if a frame is cut, or is not followed by an object in JSON.
    static func length(before value: Span<UInt8>, _ headers: [EventHeader]) throws(Refusal) -> Int {
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
            throw Refusal(
                .frame,
                "a schema registry's frame has \(length) bytes and a text behind it; here are \(value.count)"
            )
        }
        if !isNamed, value[0] == 3, value[1] == 5 {
            throw Refusal(
                .frame,
                "the value is compressed by the serializer of AWS Glue; set its compression to NONE and compression.type of "
                    + "the producer"
            )
        }
        if value.mayBeObject(from: length) { return length }
        if !isNamed, value[0] == 0, value.mayBeObject(from: 9) { return 9 }
        throw Refusal(
            .frame,
            "the value of a schema registry is not an object in JSON; Avro and Protobuf are not read: set the producer's "
                + "serializer to JSON Schema"
        )
    }
}

extension Span<UInt8> {
    /// Whether an opening brace comes first, or after a byte order mark or white space.
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
