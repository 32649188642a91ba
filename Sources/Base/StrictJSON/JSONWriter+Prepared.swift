// Members of which something was written before, for those who write the same again and again.

extension JSONWriter {
    /// Writes a member whose name was prepared.
    ///
    /// - Parameters:
    ///   - name: With quotes, escapes and the colon, as ``prepared(name:)`` makes it.
    ///   - value: Any text.
    package mutating func member(prepared name: [UInt8], _ value: String) {
        var value = value
        value.withUTF8 { text in
            guard unsafe text.isPlain else {
                self.name(prepared: name)
                separate()
                return unsafe Self.appendString(text, to: &bytes)
            }
            unsafe name.withUnsafeBufferPointer { name in
                put(atMost: name.count + text.count + 3) { output in
                    unsafe output.append(contentsOf: name)
                    unsafe output.append(quoted: text)
                }
            }
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
