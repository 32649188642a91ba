/// The frame that serializers with a schema registry put before a value, or beside it as a header.
///
/// Byte 0 is followed by a schema's number of four bytes, byte 1 by its GUID of sixteen; newer clients leave the value as it is
/// and put byte 1 and the GUID in the header `__value_schema_id`. JSON texts begin with neither, so a frame is sure to be one.
/// Behind it must be an object in JSON; Avro and Protobuf need their schemas.
enum RegistryFrame {
    private static let header = "__value_schema_id"

    /// Where the event begins.
    ///
    /// - Parameters:
    ///   - value: The record's value, at least one byte.
    ///   - headers: The record's headers.
    /// - Returns: How many bytes to pass over; 0 where there is no frame.
    /// - Throws: ``Refusal`` where a frame is cut, or holds no object in JSON.
    static func length(before value: Span<UInt8>, _ headers: [EventHeader]) throws(Refusal) -> Int {
        let isNamed = headers.contains { $0.name == header && $0.value?.count == 17 && $0.value?.first == 1 }
        guard isNamed || value[0] <= 1 else { return 0 }
        let length = isNamed ? 0 : value[0] == 0 ? 5 : 17
        guard value.count > length else {
            throw Refusal(
                .frame,
                "a schema registry's frame has \(length) bytes and a text behind it; here are \(value.count)"
            )
        }
        guard value.extracting(length...).mayBeObject else {
            throw Refusal(
                .frame,
                "what a schema registry frames must be an object in JSON; Avro and Protobuf are not supported"
            )
        }
        return length
    }
}

extension Span<UInt8> {
    /// Whether an opening brace stands first, behind a byte order mark or white space.
    fileprivate var mayBeObject: Bool {
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "{"): return true
            case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: continue
            default: return false
            }
        }
        return false
    }
}
