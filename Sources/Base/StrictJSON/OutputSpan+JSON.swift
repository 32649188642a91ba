/// Writes JSON into an estimated capacity, for records that are written constantly.
///
/// Text between values is given as literals with commas, names and colons: `#","event":"#`. A write without enough capacity
/// fills the rest of the output. A full output therefore means that it was truncated, and
/// ``Swift/Array/append(expecting:_:)`` writes it again.
extension OutputSpan<UInt8> {
    /// Writes a literal.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString) {
        let bytes = unsafe UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        guard freeCapacity >= bytes.count else { return cutOff() }
        unsafe append(contentsOf: bytes)
    }

    /// Writes a literal and an escaped string.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, quoted text: String) {
        write(literal)
        write(quoted: text)
    }

    /// Writes a literal and a string; nothing if the string is `nil`.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, quoted text: String?) {
        if let text { write(literal, quoted: text) }
    }

    /// Writes a literal and an integer.
    @inlinable @inline(__always)
    package mutating func write(_ literal: StaticString, integer: Int64) {
        write(literal)
        write(integer: integer)
    }

    /// Writes a string with quotes and escapes.
    @usableFromInline
    package mutating func write(quoted text: String) {
        unsafe text.withBytes { unsafe write(quoting: $0) }
    }

    /// Writes a string from borrowed bytes. Not inlined, so that each kind of string only needs a call.
    @inline(never)
    private mutating func write(quoting text: UnsafeBufferPointer<UInt8>) {
        guard freeCapacity - 2 >= text.count else { return cutOff() }
        let length = unsafe append(quoting: text)
        if length < text.count { unsafe finish(quoting: text, from: length) }
    }

    /// Writes the rest of a string that needs escapes, and its closing quote.
    @inline(never)
    private mutating func finish(quoting text: UnsafeBufferPointer<UInt8>, from start: Int) {
        let text = unsafe Span(_unsafeElements: text)
        guard freeCapacity > text.escapedCount(from: start) else { return cutOff() }
        append(escaping: text, from: start)
        append(UInt8(ascii: "\""))
    }

    /// Writes prepared members, or the prepared beginning of one.
    @inlinable @inline(__always)
    package mutating func write(prepared bytes: borrowing [UInt8]) {
        // Not `bytes.span`, which needs iOS 26.
        unsafe bytes.withUnsafeBufferPointer { unsafe write(prepared: $0.span) }
    }

    /// Writes prepared members.
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

    /// Writes a number with at most three decimals, like ``JSONWriter/milliseconds(_:)``.
    package mutating func write(milliseconds: Double) {
        guard freeCapacity >= 32 else { return cutOff() }
        append(milliseconds: milliseconds)
    }

    /// Writes a comma, except directly after the beginning of an object or a list.
    package mutating func separate() {
        guard count > 0, self[count - 1] != UInt8(ascii: "{"), self[count - 1] != UInt8(ascii: "[") else { return }
        write(",")
    }

    /// Writes a list and its end; nothing if it is empty.
    ///
    /// - Parameters:
    ///   - literal: The text before the first element.
    ///   - elements: The elements, which are borrowed: copying them would retain each of their strings.
    ///   - write: Writes one element.
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

    /// Writes elements one after another.
    ///
    /// - Parameters:
    ///   - elements: The elements, which are borrowed and may be noncopyable.
    ///   - separator: The text between two elements.
    ///   - write: Writes one element.
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

    /// Writes bytes that a closure appends.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - append: Appends the bytes.
    @inlinable @inline(__always)
    package mutating func write(atMost limit: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        guard freeCapacity >= limit else { return cutOff() }
        append(&self)
    }

    /// Writes a literal and a string that needs no escapes, such as an instant.
    ///
    /// - Parameters:
    ///   - literal: The text before the string.
    ///   - limit: The maximum length of the string in bytes.
    ///   - append: Appends the text between the quotes.
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

    /// Fills the remaining capacity, so that the truncation is detected at the end.
    @usableFromInline @inline(never)
    package mutating func cutOff() {
        append(repeating: 0, count: freeCapacity)
    }
}

extension [UInt8] {
    /// Appends the output of a closure.
    ///
    /// - Parameters:
    ///   - room: The expected maximum length in bytes.
    ///   - write: Called again with twice the capacity as long as the output is truncated, so it must write the same each
    ///     time.
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
