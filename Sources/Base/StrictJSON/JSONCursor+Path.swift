extension JSONCursor {
    /// Finds the value that a byte belongs to, for the path of an error.
    ///
    /// Goes through the text once more, so it is for faults only.
    ///
    /// - Parameters:
    ///   - offset: A byte of the text.
    ///   - bytes: The whole text, which may break off or be broken at `offset` or behind.
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

    /// Enters the array or object that begins here and goes to the value with a certain byte.
    ///
    /// - Returns: The value's name or index; nothing where the byte is no part of a value in it.
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

    /// Passes over a value, unless the byte lies in it or it is broken.
    private mutating func isEnd(of offset: Int, _ bytes: Span<UInt8>) -> Bool {
        var next = self
        guard (try? next.skip(bytes)) != nil, next.position <= offset else { return true }
        self = next
        return false
    }
}
