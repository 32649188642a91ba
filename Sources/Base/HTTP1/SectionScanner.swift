import NewsflashBasics
import NewsflashHTTPTransport

/// Parses a status line and a header section, or a trailer section, and checks every byte.
struct SectionScanner {
    private enum Place {
        /// The number of bytes of `HTTP/1.` parsed so far.
        case version(Int)
        case minorVersion
        case blankBeforeStatus
        /// The number of digits of the status parsed so far.
        case status(Int)
        case statusEnd
        case reason
        case statusLineEnd
        case lineStart
        case name
        case value
        case valueEnd
        case sectionEnd
        case done
    }

    private static let versionStart: StaticString = "HTTP/1."

    private var place: Place
    /// The number of bytes parsed so far.
    private(set) var count = 0
    /// The start of the field lines, relative to the section like ``count``.
    private(set) var linesStart = 0
    /// The status, after its line has been parsed.
    private(set) var status = 0
    /// Whether the version is 1.0 instead of 1.1.
    private(set) var isVersion10 = false

    /// Whether the blank line after the fields has been parsed.
    var isDone: Bool {
        if case .done = place { true } else { false }
    }

    /// - Parameter isTrailer: Whether the section has no status line.
    init(isTrailer: Bool = false) {
        place = isTrailer ? .lineStart : .version(0)
    }

    /// Continues until the section or the input ends.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - position: The start position in the input; moved to the end of the parsed bytes.
    /// - Throws: ``InvalidResponseError`` at the first invalid byte.
    mutating func scan(_ bytes: Span<UInt8>, at position: inout Int) throws(InvalidResponseError) {
        let start = position
        let limit = start + min(bytes.count - start, ResponseParser.maximumSectionBytes - count)
        defer { count += position - start }
        while position < limit, !isDone {
            skip(bytes, at: &position, below: limit)
            guard position < limit else { break }
            let byte = bytes[position]
            position += 1
            switch place {
            case .name:
                guard byte == UInt8(ascii: ":") else { throw .fieldName }
                place = .value
            case .value:
                guard byte == UInt8(ascii: "\r") else { throw byte == UInt8(ascii: "\n") ? .lineEnd : .fieldValue }
                place = .valueEnd
            case .valueEnd:
                try expectLineFeed(byte, then: .lineStart)
            case .lineStart:
                if byte == UInt8(ascii: "\r") {
                    place = .sectionEnd
                } else {
                    guard byte.isTokenByte else { throw byte == UInt8(ascii: "\n") ? .lineEnd : .fieldName }
                    place = .name
                }
            case .sectionEnd:
                try expectLineFeed(byte, then: .done)
            default:
                try scanStatusLine(byte)
                if case .lineStart = place { linesStart = count + position - start }
            }
        }
        if !isDone, count + position - start >= ResponseParser.maximumSectionBytes { throw .sectionTooLarge }
    }

    /// Skips complete valid lines, or the rest of the current name, value or reason. Most bytes are handled here.
    private func skip(_ bytes: Span<UInt8>, at position: inout Int, below limit: Int) {
        switch place {
        case .lineStart: position = bytes.endOfFieldLines(from: position, below: limit)
        case .name: position = bytes.endOfToken(from: position, below: limit)
        case .value, .reason: position = bytes.endOfValueText(from: position, below: limit)
        default: break
        }
    }

    private mutating func scanStatusLine(_ byte: UInt8) throws(InvalidResponseError) {
        switch place {
        case .version(let read):
            guard unsafe byte == Self.versionStart.utf8Start[read] else { throw read < 5 ? .statusLine : .version }
            place = read + 1 == Self.versionStart.utf8CodeUnitCount ? .minorVersion : .version(read + 1)
        case .minorVersion:
            guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { throw .version }
            isVersion10 = byte == UInt8(ascii: "0")
            place = .blankBeforeStatus
        case .blankBeforeStatus:
            guard byte == UInt8(ascii: " ") else { throw .statusLine }
            place = .status(0)
        case .status(let read):
            // The first digit is not zero, because all statuses are at least 100.
            guard byte.isDigit, read > 0 || byte != UInt8(ascii: "0") else { throw .statusLine }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
            place = read == 2 ? .statusEnd : .status(read + 1)
        case .statusEnd:
            // Some servers omit the blank if there is no reason.
            guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") else { throw .statusLine }
            place = byte == UInt8(ascii: " ") ? .reason : .statusLineEnd
        case .reason:
            guard byte == UInt8(ascii: "\r") else { throw byte == UInt8(ascii: "\n") ? .lineEnd : .statusLine }
            place = .statusLineEnd
        case .statusLineEnd:
            try expectLineFeed(byte, then: .lineStart)
        case .lineStart, .name, .value, .valueEnd, .sectionEnd, .done:
            break
        }
    }

    private mutating func expectLineFeed(_ byte: UInt8, then next: Place) throws(InvalidResponseError) {
        guard byte == UInt8(ascii: "\n") else { throw .lineEnd }
        place = next
    }
}

extension Span<UInt8> {
    /// Returns the start of the first line that is not a complete, valid field line: a token, a colon, text and CR LF.
    fileprivate func endOfFieldLines(from start: Int, below limit: Int) -> Int {
        var position = start
        while true {
            let colon = endOfToken(from: position, below: limit)
            guard colon > position, colon < limit, self[colon] == UInt8(ascii: ":") else { return position }
            let end = endOfValueText(from: colon + 1, below: limit)
            guard end + 1 < limit, self[end] == UInt8(ascii: "\r"), self[end + 1] == UInt8(ascii: "\n") else {
                return position
            }
            position = end + 2
        }
    }
}
