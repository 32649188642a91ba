import ASCII
import HTTPTransport

/// Reads a status line and a header section, or a trailer section, and checks every byte.
struct SectionScanner {
    private enum Place {
        /// That many bytes of `HTTP/1.` were read.
        case version(Int)
        case minorVersion
        case blankBeforeStatus
        /// That many digits of the status were read.
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
    /// The bytes scanned so far.
    private(set) var count = 0
    /// Where the lines of the fields begin, counted like ``count``.
    private(set) var linesStart = 0
    /// The status, once its line was read.
    private(set) var status = 0
    /// Whether the version is 1.0 and not 1.1.
    private(set) var isVersion10 = false

    /// Whether the blank line behind the fields was read.
    var isDone: Bool {
        if case .done = place { true } else { false }
    }

    /// - Parameter isTrailer: Whether there is no status line.
    init(isTrailer: Bool = false) {
        place = isTrailer ? .lineStart : .version(0)
    }

    /// Goes on until the section or the input ends.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - position: Where to begin in it; moves behind what was read.
    /// - Throws: ``ResponseFault`` at the first byte that is wrong.
    mutating func scan(_ bytes: Span<UInt8>, at position: inout Int) throws(ResponseFault) {
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

    /// Goes behind the lines that are there whole and beyond doubt, or to the end of the name, value or reason that is being
    /// read: most bytes are of these.
    private func skip(_ bytes: Span<UInt8>, at position: inout Int, below limit: Int) {
        switch place {
        case .lineStart: position = bytes.endOfFieldLines(from: position, below: limit)
        case .name: position = bytes.endOfToken(from: position, below: limit)
        case .value, .reason: position = bytes.endOfValueText(from: position, below: limit)
        default: break
        }
    }

    private mutating func scanStatusLine(_ byte: UInt8) throws(ResponseFault) {
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
            // No status is below 100.
            guard byte.isDigit, read > 0 || byte != UInt8(ascii: "0") else { throw .statusLine }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
            place = read == 2 ? .statusEnd : .status(read + 1)
        case .statusEnd:
            // Some leave the blank out where there is no reason.
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

    private mutating func expectLineFeed(_ byte: UInt8, then next: Place) throws(ResponseFault) {
        guard byte == UInt8(ascii: "\n") else { throw .lineEnd }
        place = next
    }
}

extension Span<UInt8> {
    /// Where the first line begins that is not a whole and sound one of a field: a token, a colon, text and CR LF.
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
