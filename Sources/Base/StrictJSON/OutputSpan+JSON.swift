/// Writes JSON into room that was guessed, for records that are written all day.
///
/// What stands between values is given as text of the program, with commas, names and colons: `#","event":"#`. Whatever finds
/// no room fills what is left: an output that is full in the end was cut off, and ``Swift/Array/append(expecting:_:)`` has it
/// written again.
extension OutputSpan<UInt8> {
    /// Writes what stands in the program.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString) {
        let bytes = unsafe UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard freeCapacity >= bytes.count else { return cutOff() }
        unsafe append(contentsOf: bytes)
    }

    /// Writes what stands in the program, and a string with what it needs of escapes.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, quoted text: String) {
        write(literal)
        write(quoted: text)
    }

    /// Writes what stands in the program and a string, or nothing where there is no string.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, quoted text: String?) {
        if let text { write(literal, quoted: text) }
    }

    /// Writes what stands in the program, and an integer.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, integer: Int64) {
        write(literal)
        write(integer: integer)
    }

    /// Writes a string with quotes around it and escapes in it.
    @usableFromInline
    package mutating func write(quoted text: String) {
        unsafe text.withBytes { unsafe write(quoting: $0) }
    }

    /// Writes a string whose bytes are lent: out of line, so that each form of a string needs only a call.
    @inline(never)
    private mutating func write(quoting text: UnsafeBufferPointer<UInt8>) {
        guard freeCapacity - 2 >= text.count else { return cutOff() }
        let length = unsafe append(quoting: text)
        if length < text.count { unsafe finish(quoting: text, from: length) }
    }

    /// Writes the rest of a string that needs escapes, and its last quote.
    @inline(never)
    private mutating func finish(quoting text: UnsafeBufferPointer<UInt8>, from start: Int) {
        let text = unsafe Span(_unsafeElements: text)
        guard freeCapacity > text.escapedCount(from: start) else { return cutOff() }
        append(escaping: text, from: start)
        append(UInt8(ascii: "\""))
    }

    /// Writes members, or the beginning of one, that were written before.
    @inlinable @inline(__always)
    package mutating func write(prepared bytes: borrowing [UInt8]) {
        // Not `bytes.span`, which needs iOS 26.
        unsafe bytes.withUnsafeBufferPointer { unsafe write(prepared: $0.span) }
    }

    /// Writes members that were written before.
    @inlinable @inline(__always)
    package mutating func write(prepared bytes: Span<UInt8>) {
        guard freeCapacity >= bytes.count else { return cutOff() }
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Writes an integer.
    @usableFromInline
    package mutating func write(integer: Int64) {
        guard freeCapacity >= 20 else { return cutOff() }
        append(digitsOf: integer)
    }

    /// Writes a number with three decimals at most, as ``JSONWriter/milliseconds(_:)`` does.
    package mutating func write(milliseconds: Double) {
        guard freeCapacity >= 32 else { return cutOff() }
        append(milliseconds: milliseconds)
    }

    /// Writes a comma, but not behind what has just begun an object or a list.
    package mutating func separate() {
        guard count > 0, self[count - 1] != UInt8(ascii: "{"), self[count - 1] != UInt8(ascii: "[") else { return }
        write(",")
    }

    /// Writes a list and the end of it, or nothing where it is empty.
    ///
    /// - Parameters:
    ///   - literal: What stands before the first element.
    ///   - elements: Looked at where they lie: a copy would count each of their texts.
    ///   - write: Writes one of them.
    @inlinable @inline(__always)
    package mutating func list<Part>(
        _ literal: StaticString,
        _ elements: [Part],
        _ write: (borrowing Part, inout OutputSpan<UInt8>) -> Void
    ) {
        guard !elements.isEmpty else { return }
        self.write(literal)
        unsafe elements.withUnsafeBufferPointer { unsafe self.write(each: $0.span, separatedBy: ",", write) }
        self.write("]")
    }

    /// Writes elements one after the other.
    ///
    /// - Parameters:
    ///   - elements: Looked at where they lie: what might have no copies is not copied.
    ///   - separator: What stands between two of them.
    ///   - write: Writes one of them.
    @inlinable @inline(__always)
    package mutating func write<Part: ~Copyable>(
        each elements: Span<Part>,
        separatedBy separator: StaticString,
        _ write: (borrowing Part, inout OutputSpan<UInt8>) -> Void
    ) {
        for index in elements.indices {
            if index > 0 { self.write(separator) }
            write(elements[index], &self)
        }
    }

    /// Writes what another part of the program appends.
    ///
    /// - Parameters:
    ///   - limit: How many bytes that is at most.
    ///   - append: Appends them.
    @inlinable @inline(__always)
    package mutating func write(atMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        guard freeCapacity >= limit else { return cutOff() }
        append(&self)
    }

    /// Writes what stands in the program, and a string whose bytes need no escapes, such as an instant.
    ///
    /// - Parameters:
    ///   - literal: What stands before it.
    ///   - limit: How many bytes it has at most.
    ///   - append: Appends what stands between the quotes.
    @inlinable @inline(__always)
    package mutating func write(
        _ literal: StaticString,
        plainAtMost limit: Int,
        _ append: (inout OutputSpan<UInt8>) -> Void
    ) {
        write(literal)
        write(atMost: limit + 2) { output in
            output.append(UInt8(ascii: "\""))
            append(&output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Fills what is left, so that the lack of room is seen in the end.
    @usableFromInline @inline(never)
    package mutating func cutOff() {
        append(repeating: 0, count: freeCapacity)
    }
}

extension [UInt8] {
    /// Appends what is written in one go.
    ///
    /// - Parameters:
    ///   - room: How many bytes it is mostly less than.
    ///   - write: Called again with twice the room as long as it was cut off, so it must write the same each time.
    package mutating func append(expecting room: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        let start = count
        var room = Swift.max(room, capacity - count, 64)
        while true {
            var isWhole = false
            append(addingCapacity: room) { output in
                write(&output)
                isWhole = !output.isFull
            }
            if isWhole { return }
            removeLast(count - start)
            room *= 2
        }
    }
}
