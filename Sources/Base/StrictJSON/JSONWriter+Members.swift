// Whole members at once, for those who write many.

extension JSONWriter {
    /// Writes a member whose name stands in the program.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any text.
    public mutating func member(_ name: StaticString, _ value: String) {
        unsafe value.withBytes { text in
            var length = 0
            putName(name, andAtMost: text.count + 2) { length = unsafe $0.append(quoting: text) }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// Writes a member whose name stands in the program.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - value: Any integer.
    public mutating func member(_ name: StaticString, _ value: Int64) {
        putName(name, andAtMost: 20) { $0.append(digitsOf: value) }
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
        putName(name, andAtMost: limit + 2) { output in
            output.append(UInt8(ascii: "\""))
            append(&output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a name that stands in the program, and its value, in one go.
    ///
    /// - Parameters:
    ///   - name: Without anything to escape.
    ///   - limit: How many bytes the value has at most.
    ///   - append: Appends the value.
    @inline(__always)
    mutating func putName(
        _ name: StaticString,
        andAtMost limit: Int,
        _ append: (inout OutputSpan<UInt8>) -> Void
    ) {
        let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        assert(unsafe name.isPlain, "a name that needs escapes")
        put(atMost: name.count + 4 + limit) { output in
            output.append(UInt8(ascii: "\""))
            unsafe output.append(contentsOf: name)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            append(&output)
        }
    }
}
