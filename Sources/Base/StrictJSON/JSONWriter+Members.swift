// Whole members at once, for those who write many.

extension JSONWriter {
    /// Writes a member whose name stands in the program.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any text.
    public mutating func member(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { text in
            guard unsafe text.isPlain else {
                self.name(name)
                separate()
                return unsafe Self.appendString(text, to: &bytes)
            }
            name.withUTF8Buffer { name in
                assert(unsafe name.isPlain, "a name that needs escapes")
                put(atMost: name.count + text.count + 6) { output in
                    unsafe output.append(quoted: name)
                    output.append(UInt8(ascii: ":"))
                    unsafe output.append(quoted: text)
                }
            }
        }
    }

    /// Writes a member whose name stands in the program.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any integer.
    public mutating func member(_ name: StaticString, _ value: Int64) {
        name.withUTF8Buffer { name in
            assert(unsafe name.isPlain, "a name that needs escapes")
            put(atMost: name.count + 24) { output in
                unsafe output.append(quoted: name)
                output.append(UInt8(ascii: ":"))
                output.append(digitsOf: value)
            }
        }
    }

    /// Writes a member whose name stands in the program, or nothing where there is no value.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any text.
    public mutating func member(_ name: StaticString, _ value: String?) {
        if let value { member(name, value) }
    }

    /// Writes a member, or nothing where there is no value.
    ///
    /// - Parameters:
    ///   - name: Any text.
    ///   - value: Any text.
    @_disfavoredOverload
    public mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    /// Writes a member whose name stands in the program, or nothing where there is no value.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any integer.
    public mutating func member(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    /// Writes a member whose name stands in the program and whose value is a list, empty or not.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - values: Any texts.
    public mutating func member(_ name: StaticString, _ values: [String]) {
        self.name(name)
        beginArray()
        for value in values { self.value(value) }
        endArray()
    }

    /// Writes a member whose name stands in the program and whose value is a string that needs no escapes.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - limit: How many bytes the string has at most.
    ///   - append: Appends what stands between the quotes.
    public mutating func member(
        _ name: StaticString,
        plainAtMost limit: Int,
        _ append: (inout OutputSpan<UInt8>) -> Void
    ) {
        name.withUTF8Buffer { name in
            assert(unsafe name.isPlain, "a name that needs escapes")
            put(atMost: name.count + limit + 6) { output in
                unsafe output.append(quoted: name)
                output.append(UInt8(ascii: ":"))
                output.append(UInt8(ascii: "\""))
                append(&output)
                output.append(UInt8(ascii: "\""))
            }
        }
    }
}
