extension JSONCursor {
    /// Finds the value that contains a byte, for the path of an error.
    ///
    /// Parses the text again, so it is only for errors.
    ///
    /// - Parameters:
    ///   - offset: The index of a byte.
    ///   - bytes: The whole text, which may be incomplete or invalid from `offset` on.
    /// - Returns: A JSON Pointer (RFC 6901); empty for the whole text.
    package static func path(to offset: Int, in bytes: Span<UInt8>) -> String {
        guard var cursor = try? JSONCursor(bytes) else { return "" }
        var path = ""
        for _ in 0..<maximumDepth {
            guard let step = cursor.step(towards: offset, bytes) else { break }
            path += "/" + JSONPointer.escaped(step)
        }
        return path
    }

    /// Enters the array or object that begins here and goes to the value that contains a byte.
    ///
    /// - Returns: The value's name or index; `nil` if no value in it contains the byte.
    private mutating func step(towards offset: Int, _ bytes: Span<UInt8>) -> String? {
        let start = position
        do throws(JSONError) {
            switch peek(bytes) {
            case UInt8(ascii: "{") where start < offset:
                try beginObject(bytes)
                while let name = try nextMember(bytes) {
                    if isEnd(of: offset, bytes) { return name.string(bytes) }
                }
            case UInt8(ascii: "[") where start < offset:
                try beginArray(bytes)
                var index = 0
                while try nextElement(bytes) {
                    if isEnd(of: offset, bytes) { return String(index) }
                    index += 1
                }
            default: break
            }
        } catch {}
        return nil
    }

    /// Skips a value, unless it contains the byte or is invalid.
    private mutating func isEnd(of offset: Int, _ bytes: Span<UInt8>) -> Bool {
        var next = self
        guard (try? next.skip(bytes)) != nil, next.position <= offset else { return true }
        self = next
        return false
    }
}
