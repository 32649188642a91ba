/// Writes a JSON text without white space.
///
/// Commas come by themselves; that names and values alternate and that what is begun is ended is the caller's part.
/// Escaped is what must be, and U+2028 and U+2029, which some line readers take for an end of line.
public struct JSONWriter: Sendable {
    /// What was written so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []
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
        name.withUTF8Buffer { name in
            guard unsafe name.isPlain else {
                separate()
                unsafe Self.appendString(name, to: &bytes)
                return bytes.append(UInt8(ascii: ":"))
            }
            put(atMost: name.count + 4) { output in
                unsafe output.append(quoted: name)
                output.append(UInt8(ascii: ":"))
            }
        }
        needsComma = false
    }

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
        var value = value
        value.withUTF8 { text in
            guard unsafe text.isPlain else {
                separate()
                return unsafe Self.appendString(text, to: &bytes)
            }
            put(atMost: text.count + 3) { unsafe $0.append(quoted: text) }
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
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Writes a number with three decimals at most, which costs a tenth of the shortest form.
    ///
    /// - Parameter value: Rounded; beyond what an integer of its thousandths holds, in the shortest form.
    public mutating func milliseconds(_ value: Double) {
        let rounded = (value * 1000).rounded()
        guard let thousandths = Int64(exactly: rounded) else { return self.value(value) }
        put(atMost: 25) { output in
            if thousandths < 0 { output.append(UInt8(ascii: "-")) }
            output.append(digitsOf: Int64(clamping: thousandths.magnitude / 1000))
            var rest = UInt32(truncatingIfNeeded: thousandths.magnitude % 1000)
            guard rest > 0 else { return }
            output.append(UInt8(ascii: "."))
            while rest > 0 {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100))
                rest = rest % 100 * 10
            }
        }
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

    /// Writes a string whose bytes need no escapes, such as an instant.
    ///
    /// - Parameters:
    ///   - limit: How many bytes it has at most.
    ///   - append: Appends what stands between the quotes.
    public mutating func plainString(atMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        put(atMost: limit + 3) { output in
            output.append(UInt8(ascii: "\""))
            append(&output)
            output.append(UInt8(ascii: "\""))
        }
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

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends a comma where one is due, and what follows, in one go: each look for room costs more than a few bytes.
    ///
    /// - Parameters:
    ///   - limit: How many bytes that is at most.
    ///   - append: Appends what follows the comma.
    @inline(__always)
    private mutating func put(atMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        let hasComma = needsComma
        needsComma = true
        bytes.append(addingCapacity: limit) { output in
            if hasComma { output.append(UInt8(ascii: ",")) }
            append(&output)
        }
    }
}

extension JSONWriter {
    /// Writes a string alone, for a text whose rest is laid out elsewhere.
    ///
    /// - Parameters:
    ///   - text: Without escapes.
    ///   - bytes: Where it goes, with quotes around it.
    public static func appendString(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe appendString($0, to: &bytes) }
    }

    private static func appendString(_ buffer: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let content = unsafe Span(_unsafeElements: buffer)
        var runStart = 0
        var index = content.endOfUnescapedText(from: 0)
        while index < content.count {
            let length = lengthToEscape(content, at: index)
            if length > 0 {
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[runStart..<index]))
                appendEscape(content, at: index, to: &bytes)
                runStart = index + length
            }
            index = content.endOfUnescapedText(from: index + max(length, 1))
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[runStart...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the digits of an integer.
    ///
    /// - Parameters:
    ///   - value: Any.
    ///   - bytes: Where they go.
    public static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: 20) { $0.append(digitsOf: value) }
    }

    /// How many bytes at a place must be written in another way.
    private static func lengthToEscape(_ content: Span<UInt8>, at index: Int) -> Int {
        switch content[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20: return 1
        case 0xE2:
            let isSeparator = content[index + 1] == 0x80 && content[index + 2] & 0xFE == 0xA8
            return isSeparator ? 3 : 0
        default: return 0
        }
    }

    private static func appendEscape(_ content: Span<UInt8>, at index: Int, to bytes: inout [UInt8]) {
        let byte = content[index]
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0xE2: bytes.append(contentsOf: (content[index + 2] == 0xA8 ? "u2028" : "u2029").utf8)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether nothing of the text has to be escaped.
    fileprivate var isPlain: Bool { unsafe Span(_unsafeElements: self).endOfUnescapedText(from: 0) == count }
}
