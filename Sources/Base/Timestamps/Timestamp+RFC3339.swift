extension Timestamp {
    /// Parses a date-time of RFC 3339 strictly.
    ///
    /// `T` and `Z` may be lower case, the fraction has one to nine digits, the offset is `Z` or `±hh:mm`. Nonexistent days,
    /// hour 24 and a blank instead of `T` are refused. A leap second (`:60`, only in the last minute of a UTC day) is
    /// converted to the second after it.
    ///
    /// - Parameter text: The date-time, such as `2026-03-02T09:40:00+01:00`.
    public init?(rfc3339 text: String) {
        var text = text
        let parsed = text.withUTF8 { bytes in
            let span = unsafe Span(_unsafeElements: bytes)
            return RFC3339Reader.read(span)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Parses a date-time of RFC 3339 strictly from bytes.
    ///
    /// - Parameter bytes: The date-time, without other bytes.
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

    /// The length of ``rfc3339`` in bytes.
    public static let lengthOfRFC3339 = 24

    /// Appends ``rfc3339`` to bytes, without creating a string.
    ///
    /// - Parameter bytes: The buffer.
    public func appendRFC3339(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Self.lengthOfRFC3339) { appendRFC3339(to: &$0) }
    }

    /// Appends ``rfc3339`` to bytes, without creating a string.
    ///
    /// - Parameter output: The output, with capacity for ``lengthOfRFC3339`` bytes.
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

/// Returns a number below 100 as two digits, the first one lowest.
@inline(__always)
private func digits(_ number: UInt32) -> UInt64 {
    let tens = (number &* 103) >> 10
    return UInt64(tens | (number &- tens &* 10) << 8 | 0x3030)
}

@inline(__always)
private func letter(_ letter: UnicodeScalar) -> UInt64 { UInt64(letter.value) }

extension OutputSpan<UInt8> {
    /// Appends the bytes of three words, the lowest first; the capacity must suffice.
    @inline(__always)
    fileprivate mutating func append(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
        unsafe withUnsafeMutableBufferPointer { bytes, count in
            precondition(bytes.count - count >= 24, "insufficient capacity")
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            unsafe bytes.storeBytes(of: first.littleEndian, toByteOffset: count, as: UInt64.self)
            unsafe bytes.storeBytes(of: second.littleEndian, toByteOffset: count + 8, as: UInt64.self)
            unsafe bytes.storeBytes(of: third.littleEndian, toByteOffset: count + 16, as: UInt64.self)
            count += 24
        }
    }
}

/// Parses a date-time; fails on any deviation.
private enum RFC3339Reader {
    /// The length of the part before the fraction and the offset.
    private static let lengthToSeconds = 19

    static func read(_ bytes: Span<UInt8>) -> Timestamp? {
        guard bytes.count > lengthToSeconds,
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let century = twoDigits(bytes, at: 0), let yearOfCentury = twoDigits(bytes, at: 2),
            let month = twoDigits(bytes, at: 5), let day = twoDigits(bytes, at: 8),
            let hour = twoDigits(bytes, at: 11), hour < 24, let minute = twoDigits(bytes, at: 14), minute < 60,
            let second = twoDigits(bytes, at: 17), second <= 60,
            let (fraction, end) = fraction(bytes), let offset = offsetSeconds(bytes, at: end)
        else { return nil }
        let date = CivilDate(year: century * 100 + yearOfCentury, month: month, day: day)
        guard date.isReal else { return nil }
        let local = date.daysSinceEpoch * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        let utc = local - Int64(offset)
        guard second < 60 || utc % 86_400 == 0 else { return nil }
        // Before the epoch the fraction is subtracted from the next second: at the lower end of the range the second itself
        // would overflow.
        let (whole, part) = utc < 0 && fraction > 0 ? (utc + 1, fraction - 1_000_000_000) : (utc, fraction)
        let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = nanoseconds.addingReportingOverflow(Int64(part))
        guard !overflow, !overflowOfSum else { return nil }
        return Timestamp(nanoseconds: sum)
    }

    /// Parses a two-digit number; both bytes must exist.
    @inline(__always)
    private static func twoDigits(_ bytes: Span<UInt8>, at place: Int) -> Int? {
        let tens = bytes[place] &- UInt8(ascii: "0")
        let ones = bytes[place + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Parses the fraction; returns nanoseconds and the end index; zero without a fraction.
    private static func fraction(_ bytes: Span<UInt8>) -> (nanoseconds: Int, end: Int)? {
        guard bytes[lengthToSeconds] == UInt8(ascii: ".") else { return (0, lengthToSeconds) }
        var value = 0
        // The value of 1 in the last digit, in nanoseconds.
        var unit = 1_000_000_000
        var index = lengthToSeconds + 1
        while index < bytes.count, let digit = bytes[index].decimalDigit {
            guard unit > 1 else { return nil }
            unit /= 10
            value += digit * unit
            index += 1
        }
        return index > lengthToSeconds + 1 ? (value, index) : nil
    }

    /// Parses the UTC offset at the end of the text, in seconds.
    private static func offsetSeconds(_ bytes: Span<UInt8>, at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        let sign: Int
        switch bytes[place] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return place + 1 == bytes.count ? 0 : nil
        case UInt8(ascii: "+"): sign = 1
        case UInt8(ascii: "-"): sign = -1
        default: return nil
        }
        guard bytes.count - place == 6, bytes[place + 3] == UInt8(ascii: ":"),
            let hours = twoDigits(bytes, at: place + 1), hours < 24,
            let minutes = twoDigits(bytes, at: place + 4), minutes < 60
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
