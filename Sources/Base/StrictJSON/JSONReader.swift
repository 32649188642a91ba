/// Reads JSON texts by the letter of RFC 8259, and a little stricter.
///
/// Refused beyond the grammar: bytes that are not UTF-8 (anywhere, before anything else is looked at), a byte order mark,
/// a name twice in one object, an escaped surrogate without its other half, and nesting past a bound. Any input ends in a
/// value or an error, in time that grows with its length only.
public enum JSONReader {
    /// The bound that no caller can lift: the reader calls itself once a level, and so does whoever walks the value.
    public static let deepestNesting = 256

    /// Reads one JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8; white space around the value is fine.
    ///   - maximumDepth: How many arrays and objects may lie in each other; held at ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first fault with its offset and path.
    public static func read(_ bytes: Span<UInt8>, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        if let offset = UTF8Check.firstFault(in: bytes) {
            throw JSONError(.invalidUTF8, at: offset, "the bytes are not UTF-8")
        }
        var parser = JSONParser(maximumDepth: min(maximumDepth, deepestNesting))
        return try parser.document(bytes)
    }

    /// Reads one JSON text in which a name may be repeated in its object, at most 16 times; the value has both members.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8.
    ///   - maximumDepth: The deepest nesting of arrays and objects; held at ``deepestNesting``.
    /// - Returns: The value, and the places of the repeated members as JSON Pointers, without the indexes of arrays.
    /// - Throws: The first fault with its offset and path.
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

    /// Reads one JSON text from an array.
    ///
    /// - Parameters:
    ///   - bytes: The whole text in UTF-8.
    ///   - maximumDepth: How many arrays and objects may lie in each other; held at ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first fault with its offset and path.
    public static func read(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        unsafe try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            unsafe try read(bytes.span, maximumDepth: maximumDepth)
        }
    }

    /// Reads one JSON text from a string.
    ///
    /// - Parameters:
    ///   - text: The whole text; offsets of faults count its UTF-8 bytes.
    ///   - maximumDepth: How many arrays and objects may lie in each other; held at ``deepestNesting``.
    /// - Returns: The value.
    /// - Throws: The first fault with its offset and path.
    public static func read(_ text: String, maximumDepth: Int = 64) throws(JSONError) -> JSONValue {
        try read(Array(text.utf8), maximumDepth: maximumDepth)
    }
}
