/// Writes JSON without white space.
///
/// Adds commas automatically. The caller must alternate names and values, and close what it opens. Escapes what JSON
/// requires, and U+2028 and U+2029, which some readers treat as line ends.
public struct JSONWriter: Sendable {
    /// The text written so far, in UTF-8.
    public internal(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty text.
    ///
    /// - Parameter capacity: The initial capacity in bytes.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Creates a text that is appended to other bytes.
    ///
    /// - Parameter bytes: The bytes before the text; ``finish()`` returns both.
    public init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the text of one object, whose members the closure writes.
    public static func object<Failure>(
        reservingCapacity capacity: Int = 0,
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: capacity)
        writer.beginObject()
        try write(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// Returns the written bytes without a copy, and empties the writer.
    public mutating func finish() -> [UInt8] {
        defer {
            bytes = []
            needsComma = false
        }
        return bytes
    }

    /// Begins an object.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Ends the innermost object.
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Begins an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Ends the innermost array.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the name of a member; its value must follow.
    @_disfavoredOverload
    public mutating func name(_ name: String) {
        separate()
        Self.appendString(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a literal name of a member without creating a string; its value must follow.
    public mutating func name(_ name: StaticString) {
        let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var length = 0
        put(atMost: name.count + 4) { output in
            length = unsafe output.append(quoting: name)
            if length == name.count { output.append(UInt8(ascii: ":")) }
        }
        if length < name.count {
            unsafe bytes.finishString(name, from: length)
            bytes.append(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// Writes a name from ``prepared(name:)``; its value must follow.
    package mutating func name(prepared name: [UInt8]) {
        separate()
        bytes.append(contentsOf: name)
        needsComma = false
    }

    /// Writes members that another writer wrote.
    ///
    /// - Parameter members: Members with commas between them only; may be empty.
    package mutating func members(prepared members: Span<UInt8>) {
        guard !members.isEmpty else { return }
        separate()
        unsafe members.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Returns a name with quotes, escapes and colon, to be written many times.
    public static func prepared(name: String) -> [UInt8] {
        var bytes: [UInt8] = []
        appendString(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        return bytes
    }

    /// Writes a string.
    public mutating func value(_ value: String) {
        unsafe value.withBytes { text in
            var length = 0
            put(atMost: text.count + 3) { length = unsafe $0.append(quoting: text) }
            if length < text.count { unsafe bytes.finishString(text, from: length) }
        }
    }

    /// Writes a string that needs no escapes.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the string in bytes.
    ///   - append: Appends the text between the quotes.
    public mutating func value(plainAtMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        put(atMost: limit + 3) { output in
            output.append(UInt8(ascii: "\""))
            append(&output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        put(atMost: 21) { $0.append(digitsOf: value) }
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) { self.value(Int64(value)) }

    /// Writes a number in the shortest form that parses to the same value; `null` for infinity and NaN.
    public mutating func value(_ value: Double) {
        put(atMost: 33) { $0.append(shortest: value) }
    }

    /// Writes a number with at most three decimals, which costs a tenth of the shortest form.
    ///
    /// - Parameter value: The number, which is rounded; the shortest form is used if its thousandths exceed 64 bits.
    public mutating func milliseconds(_ value: Double) {
        put(atMost: 33) { $0.append(milliseconds: value) }
    }

    /// Writes a truth value.
    public mutating func value(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes a whole value; numbers keep their spelling.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .string(let value): self.value(value)
        case .number(let number):
            separate()
            bytes.append(contentsOf: number.text.utf8)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                name(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a value that is already JSON.
    ///
    /// - Parameter value: One whole JSON text, which is not checked.
    public mutating func raw(_ value: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: value)
    }

    private mutating func begin(_ bracket: UInt8) {
        put(atMost: 2) { $0.append(bracket) }
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends a pending comma and other bytes in one operation, because each capacity check costs more than a few bytes.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of other bytes.
    ///   - append: Appends the bytes after the comma.
    @inline(__always)
    mutating func put(atMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        let hasComma = needsComma
        needsComma = true
        bytes.append(addingCapacity: limit) { output in
            if hasComma { output.append(UInt8(ascii: ",")) }
            append(&output)
        }
    }
}
