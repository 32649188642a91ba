/// Parses JSON according to RFC 8259, with a few stricter rules.
///
/// In addition to grammar errors it refuses: bytes that are not UTF-8 (checked first, for the whole text), a byte order
/// mark, a duplicate name in an object, an unpaired escaped surrogate, and nesting beyond a limit. Any input produces a
/// value or an error, in time linear in its length.
public enum JSONReader {
    /// The nesting limit that no caller can exceed, because parsing and traversal of the value are recursive.
    public static let deepestNesting = 256

    /// Parses a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8, which may have white space around the value.
    ///   - maximumDepth: The maximum nesting of arrays and objects; at most ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first error with its offset and path.
    public static func read(_ bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        if let offset = UTF8Check.firstFault(in: bytes) {
            throw JSONError(.invalidUTF8, at: offset, "the bytes are not UTF-8")
        }
        var parser = JSONParser(maximumDepth: min(maximumDepth, deepestNesting))
        return try parser.document(bytes)
    }

    /// Parses a JSON text in which a name may be repeated in its object, at most 16 times; the value contains both members.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8.
    ///   - maximumDepth: The maximum nesting of arrays and objects; at most ``deepestNesting``.
    /// - Returns: The value, and the repeated members as JSON Pointers, without the indexes of arrays.
    /// - Throws: The first error with its offset and path.
    package static func readAllowingRepeatedNames(
        _ bytes: Span<UInt8>,
        maximumDepth: Int = 64
    ) throws(JSONError) -> (value: JSONValue, repeated: [String]) {
        if let offset = UTF8Check.firstFault(in: bytes) {
            throw JSONError(.invalidUTF8, at: offset, "the bytes are not UTF-8")
        }
        var parser = JSONParser(maximumDepth: min(maximumDepth, deepestNesting), allowsRepeatedNames: true)
        let value = try parser.document(bytes)
        return (value, parser.repeated ?? [])
    }

    /// Parses a JSON text from an array.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8.
    ///   - maximumDepth: The maximum nesting of arrays and objects; at most ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first error with its offset and path.
    public static func read(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        unsafe try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            unsafe try read(bytes.span, maximumDepth: maximumDepth)
        }
    }

    /// Parses a JSON text from a string.
    ///
    /// - Parameters:
    ///   - text: The whole text; offsets of errors count its UTF-8 bytes.
    ///   - maximumDepth: The maximum nesting of arrays and objects; at most ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first error with its offset and path.
    public static func read(_ text: String, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        try read(Array(text.utf8), maximumDepth: maximumDepth)
    }
}
