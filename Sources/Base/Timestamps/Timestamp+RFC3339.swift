extension Timestamp {
    /// Reads a date-time of RFC 3339 strictly.
    ///
    /// `T` and `Z` may be lower case, the fraction has one to nine digits, the offset is `Z` or `±hh:mm`. Days that do not
    /// exist, hour 24 and a blank in place of `T` are refused. A leap second (`:60`, only at the end of a UTC day's last
    /// minute) is folded into the second after it.
    ///
    /// - Parameter text: Such as `2026-03-02T09:40:00+01:00`.
    public init?(rfc3339 text: String) {
        var text = text
        let parsed = text.withUTF8 { bytes in
            let span = unsafe Span(_unsafeElements: bytes)
            return RFC3339Reader.read(span)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads a date-time of RFC 3339 as strictly from its bytes.
    ///
    /// - Parameter bytes: The date-time alone.
    public init?(rfc3339 bytes: Span<UInt8>) {
        guard let parsed = RFC3339Reader.read(bytes) else { return nil }
        self = parsed
    }

    /// The instant in UTC with milliseconds, such as `2026-03-02T08:40:00.050Z`; rounded down.
    public var rfc3339: String {
        unsafe String(unsafeUninitializedCapacity: Self.lengthOfRFC3339) { buffer in
            var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            appendRFC3339(to: &output)
            return unsafe output.finalize(for: buffer)
        }
    }

    /// How many bytes ``rfc3339`` has.
    public static let lengthOfRFC3339 = 24

    /// Appends ``rfc3339`` to bytes, without a string of its own.
    ///
    /// - Parameter bytes: Where it goes.
    public func appendRFC3339(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Self.lengthOfRFC3339) { appendRFC3339(to: &$0) }
    }

    /// Appends ``rfc3339`` to bytes, without a string of its own.
    ///
    /// - Parameter output: Has room for ``lengthOfRFC3339``.
    public func appendRFC3339(to output: inout OutputSpan<UInt8>) {
        let milliseconds = milliseconds
        let days = milliseconds.flooredDivision(by: 86_400_000)
        let ofDay = UInt32(truncatingIfNeeded: milliseconds - days * 86_400_000)
        let date = CivilDate(daysSinceEpoch: days)
        let year = UInt32(truncatingIfNeeded: date.year)
        let seconds = ofDay / 1000
        let minutes = seconds / 60
        let part = ofDay - seconds * 1000
        // "YYYY-MM-", "DDTHH:MM" and ":SS.mmmZ", each a word with its first byte lowest.
        let yearAndMonth =
            digits(year / 100) | digits(year % 100) << 16 | letter("-") << 32
            | digits(UInt32(truncatingIfNeeded: date.month)) << 40 | letter("-") << 56
        let dayAndMinute =
            digits(UInt32(truncatingIfNeeded: date.day)) | letter("T") << 16 | digits(minutes / 60) << 24
            | letter(":") << 40 | digits(minutes % 60) << 48
        let second =
            letter(":") | digits(seconds - minutes * 60) << 8 | letter(".") << 24 | digits(part / 10) << 32
            | (letter("0") + UInt64(part % 10)) << 48 | letter("Z") << 56
        output.append(yearAndMonth, dayAndMinute, second)
    }
}

/// A number below a hundred as two digits, the first one lowest.
@inline(__always)
private func digits(_ number: UInt32) -> UInt64 {
    let tens = (number &* 103) >> 10
    return UInt64(tens | (number &- tens &* 10) << 8 | 0x3030)
}

@inline(__always)
private func letter(_ letter: UnicodeScalar) -> UInt64 { UInt64(letter.value) }

extension OutputSpan<UInt8> {
    /// Appends the bytes of three words, the lowest first; there must be room.
    @inline(__always)
    fileprivate mutating func append(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(bytes.count - count >= 24, "a writer's room was counted wrongly")
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            unsafe bytes.storeBytes(of: first.littleEndian, toByteOffset: count, as: UInt64.self)
            unsafe bytes.storeBytes(of: second.littleEndian, toByteOffset: count + 8, as: UInt64.self)
            unsafe bytes.storeBytes(of: third.littleEndian, toByteOffset: count + 16, as: UInt64.self)
            count += 24
        }
    }
}

/// Takes a date-time apart, byte by byte; any surprise ends it.
private struct RFC3339Reader {
    private var position = 0

    static func read(_ bytes: Span<UInt8>) -> Timestamp? {
        var reader = RFC3339Reader()
        return reader.dateTime(bytes)
    }

    private mutating func dateTime(_ bytes: Span<UInt8>) -> Timestamp? {
        guard let year = number(4, bytes), skip("-", bytes),
            let month = number(2, bytes), skip("-", bytes),
            let day = number(2, bytes), skip("T", or: "t", bytes),
            let hour = number(2, bytes), hour < 24, skip(":", bytes),
            let minute = number(2, bytes), minute < 60, skip(":", bytes),
            let second = number(2, bytes), second <= 60,
            let fraction = fraction(bytes),
            let offset = offsetSeconds(bytes), position == bytes.count
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard date.isReal else { return nil }
        let local = date.daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        let utc = local - Int64(offset)
        guard second < 60 || utc % 86_400 == 0 else { return nil }
        // Before the epoch the fraction is counted back from the next second: at the range's lower end the second itself
        // has no room.
        let (whole, part) = utc < 0 && fraction > 0 ? (utc + 1, fraction - 1_000_000_000) : (utc, fraction)
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = nanoseconds.addingReportingOverflow(Int64(part))
        guard !overflow, !overflowOfSum else { return nil }
        return Timestamp(nanoseconds: sum)
    }

    private mutating func number(_ digits: Int, _ bytes: Span<UInt8>) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard let digit = bytes[position].decimalDigit else { return nil }
            value = value * 10 + digit
            position += 1
        }
        return value
    }

    private mutating func skip(_ wanted: UnicodeScalar, or other: UnicodeScalar? = nil, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count else { return false }
        let byte = UnicodeScalar(bytes[position])
        guard byte == wanted || byte == other else { return false }
        position += 1
        return true
    }

    /// Nanoseconds; zero where no fraction stands.
    private mutating func fraction(_ bytes: Span<UInt8>) -> Int? {
        guard skip(".", bytes) else { return 0 }
        var value = 0
        var digits = 0
        while position < bytes.count, let digit = bytes[position].decimalDigit {
            guard digits < 9 else { return nil }
            value = value * 10 + digit
            digits += 1
            position += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<9 { value *= 10 }
        return value
    }

    private mutating func offsetSeconds(_ bytes: Span<UInt8>) -> Int? {
        if skip("Z", or: "z", bytes) { return 0 }
        let sign: Int
        if skip("+", bytes) {
            sign = 1
        } else if skip("-", bytes) {
            sign = -1
        } else {
            return nil
        }
        guard let hours = number(2, bytes), hours < 24, skip(":", bytes), let minutes = number(2, bytes), minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension UInt8 {
    /// The value of an ASCII digit.
    fileprivate var decimalDigit: Int? {
        self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") ? Int(self - UInt8(ascii: "0")) : nil
    }
}
