// Methods that write a whole member at once.

extension JSONWriter {
    /// Writes a member with a literal name.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - value: The text, which is escaped.
    public mutating func member(_ name: StaticString, _ value: String) {
        unsafe value.withBytes { text in
            var length = 0
            putName(name, andAtMost: text.count + 2) { length = unsafe $0.append(quoting: text) }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// Writes a member with a literal name.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - value: The integer.
    public mutating func member(_ name: StaticString, _ value: Int64) {
        putName(name, andAtMost: 20) { $0.append(digitsOf: value) }
    }

    /// Writes a member with a literal name; nothing if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - value: The text, which is escaped.
    public mutating func member(_ name: StaticString, _ value: String?) {
        if let value { member(name, value) }
    }

    /// Writes a member; nothing if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: The name, which is escaped.
    ///   - value: The text, which is escaped.
    @_disfavoredOverload
    public mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a literal name; nothing if the value is `nil`.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - value: The integer.
    public mutating func member(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    /// Writes a member with a literal name and a list, which may be empty.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - values: The texts, which are escaped.
    public mutating func member(_ name: StaticString, _ values: some Sequence<String>) {
        member(name, each: values) { $0.value($1) }
    }

    /// Writes a member with a literal name and a list, which may be empty.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - elements: The elements of the list.
    ///   - write: Writes the value of an element.
    public mutating func member<Element>(
        _ name: StaticString,
        each elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    /// Writes a member with a literal name and a list of objects, which may be empty.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - elements: The elements of the list.
    ///   - write: Writes the members of an element.
    public mutating func member<Element>(
        _ name: StaticString,
        objects elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        member(name, each: elements) { writer, element in
            writer.beginObject()
            write(&writer, element)
            writer.endObject()
        }
    }

    /// Writes a member with a literal name.
    public mutating func member(_ name: StaticString, _ value: Int) { member(name, Int64(value)) }

    /// Writes a member with a literal name.
    public mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a literal name.
    public mutating func member(_ name: StaticString, _ value: Double) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a literal name; numbers keep their spelling.
    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a literal name and a string that needs no escapes.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - limit: The maximum length of the string in bytes.
    ///   - append: Appends the text between the quotes.
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

    /// Appends a literal name and its value in one operation.
    ///
    /// - Parameters:
    ///   - name: A name that needs no escapes.
    ///   - limit: The maximum length of the value in bytes.
    ///   - append: Appends the value.
    @inline(__always)
    mutating func putName(
        _ name: StaticString,
        andAtMost limit: Int,
        _ append: (inout OutputSpan<UInt8>) -> Void
    ) {
        let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        assert(unsafe name.isPlain, "the name needs escapes")
        put(atMost: name.count + 4 + limit) { output in
            output.append(UInt8(ascii: "\""))
            unsafe output.append(contentsOf: name)
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
            append(&output)
        }
    }
}
