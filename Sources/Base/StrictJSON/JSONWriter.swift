/// Writes a JSON text without white space.
///
/// Commas come by themselves; that names and values alternate and that what is begun is ended is the caller's part.
/// Escaped is what must be, and U+2028 and U+2029, which some line readers take for an end of line.
public struct JSONWriter: Sendable {
    /// What was written so far, in UTF-8.
    public internal(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes an empty text.
    ///
    /// - Parameter capacity: Bytes to make room for at once.
    public init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Makes an empty text behind other bytes.
    ///
    /// - Parameter bytes: What stands before it; ``takeBytes()`` hands it back with the text.
    public init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Hands over what was written, without a copy; the writer is empty then.
    public mutating func takeBytes() -> [UInt8] {
        defer {
            bytes = []
            needsComma = false
        }
        return bytes
    }

    /// Opens an object.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }

    /// Closes the object opened last.
    public mutating func endObject() { end(UInt8(ascii: "}")) }

    /// Opens an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }

    /// Closes the array opened last.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes the name of a member; its value must follow.
    @_disfavoredOverload
    public mutating func name(_ name: String) {
        separate()
        Self.appendString(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member that stands in the program, which makes no string of it; its value must follow.
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

    /// Writes the comma that is due, for a caller who counts the bytes before the next name.
    public mutating func comma() {
        separate()
        needsComma = false
    }

    /// Writes the name of a member that was prepared; its value must follow.
    ///
    /// - Parameter name: With quotes, escapes and the colon, as ``prepared(name:)`` makes it.
    public mutating func name(prepared name: [UInt8]) {
        unsafe name.withUnsafeBufferPointer { name in
            put(atMost: name.count + 1) { unsafe $0.append(contentsOf: name) }
        }
        needsComma = false
    }

    /// A name for ``name(prepared:)``.
    ///
    /// - Parameter name: Any.
    /// - Returns: Its bytes.
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

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        put(atMost: 21) { $0.append(digitsOf: value) }
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) { self.value(Int64(value)) }

    /// Writes a number in the shortest form that reads back the same; `null` where it is infinite or no number.
    public mutating func value(_ value: Double) {
        put(atMost: 33) { $0.append(shortest: value) }
    }

    /// Writes a number with three decimals at most, which costs a tenth of the shortest form.
    ///
    /// - Parameter value: Rounded; beyond what an integer of its thousandths holds, in the shortest form.
    public mutating func milliseconds(_ value: Double) {
        put(atMost: 33) { $0.append(milliseconds: value) }
    }

    /// Writes a truth value.
    public mutating func value(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes a whole value; numbers as they are spelled.
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

    /// Writes a value that is JSON already.
    ///
    /// - Parameter value: One whole JSON text; not looked at.
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

    /// Appends a comma where one is due, and what follows, in one go: each look for room costs more than a few bytes.
    ///
    /// - Parameters:
    ///   - limit: How many bytes that is at most.
    ///   - append: Appends what follows the comma.
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
