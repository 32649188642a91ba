// Members of which something was written before, for those who write the same again and again.

extension JSONWriter {
    /// Writes a member whose name was prepared.
    ///
    /// - Parameters:
    ///   - name: With quotes, escapes and the colon, as ``prepared(name:)`` makes it.
    ///   - value: Any text.
    package mutating func member(prepared name: [UInt8], _ value: String) {
        unsafe value.withBytes { text in
            var length = 0
            unsafe name.withUnsafeBufferPointer { name in
                put(atMost: name.count + text.count + 3) { output in
                    unsafe output.append(contentsOf: name)
                    length = unsafe output.append(quoting: text)
                }
            }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// Writes members that were written before.
    ///
    /// - Parameter members: As they stand in an object, with commas between them; not looked at. None writes nothing.
    package mutating func members(_ members: Span<UInt8>) {
        guard !members.isEmpty else { return }
        unsafe members.withUnsafeBufferPointer { members in
            put(atMost: members.count + 1) { unsafe $0.append(contentsOf: members) }
        }
    }
}
