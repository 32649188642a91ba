import NewsflashBasics
import NewsflashHTTPTransport

/// The end of a response and the persistence of its connection, according to its headers (RFC 9112, sections 6.3 and 9.3).
struct ResponseFraming: Equatable {
    enum Length: Equatable {
        case counted(Int)
        case chunked
        /// Until the end of the connection.
        case untilEnd
    }

    private(set) var length = Length.untilEnd
    /// Whether the connection stays open after the response, if the end of the response can be detected.
    private(set) var isPersistent: Bool
    /// How long the server keeps the connection without a request, in seconds (`Keep-Alive: timeout=5`); `nil` without that
    /// header.
    private(set) var keptSeconds: Int?

    /// - Parameters:
    ///   - headers: The headers of the response.
    ///   - isVersion10: Whether the version is 1.0, in which the connection ends by default.
    /// - Throws: ``InvalidResponseError`` if the end of the response is ambiguous.
    init(_ headers: HTTPHeaders, isVersion10: Bool) throws(InvalidResponseError) {
        var isClosing = false
        var isKeptAlive = false
        isPersistent = false
        var position = 0
        while let line = headers.nextLine(at: &position) {
            switch line.name.count {
            case 10 where headers.reads("connection", at: line.name):
                headers.forEachOption(in: line.value) { option in
                    if headers.reads("close", at: option) { isClosing = true }
                    if headers.reads("keep-alive", at: option) { isKeptAlive = true }
                }
            case 10 where headers.reads("keep-alive", at: line.name):
                headers.forEachOption(in: line.value) { option in
                    if let seconds = Self.seconds(headers.wireForm.span, option) { keptSeconds = seconds }
                }
            case 14 where headers.reads("content-length", at: line.name):
                let count = try Self.count(headers.wireForm.span, line.value)
                guard length != .chunked else { throw .twoLengths }
                guard length == .untilEnd || length == .counted(count) else { throw .contentLength }
                length = .counted(count)
            case 17 where headers.reads("transfer-encoding", at: line.name):
                guard !isVersion10, length != .chunked else { throw .transferEncoding }
                guard length == .untilEnd else { throw .twoLengths }
                guard headers.reads("chunked", at: line.value) else {
                    throw .transferEncoding
                }
                length = .chunked
            default: break
            }
        }
        isPersistent = !isClosing && (!isVersion10 || isKeptAlive)
    }

    /// Returns the number in `timeout=5`, at most a million; `nil` for other options.
    private static func seconds(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let name = "timeout=".utf8
        guard range.count > name.count else { return nil }
        var position = range.lowerBound
        for letter in name {
            guard bytes[position].lowercasedASCII == letter else { return nil }
            position += 1
        }
        return (try? count(bytes, position..<range.upperBound)).map { min($0, 1_000_000) }
    }

    /// Decodes a number that consists only of decimal digits.
    private static func count(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(InvalidResponseError) -> Int {
        guard !range.isEmpty else { throw .contentLength }
        var count = 0
        for position in range {
            guard bytes[position].isDigit else { throw .contentLength }
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = product.addingReportingOverflow(Int(bytes[position] - UInt8(ascii: "0")))
            guard !isTooLarge, !isStillTooLarge else { throw .tooLarge }
            count = sum
        }
        return count
    }
}

extension HTTPHeaders {
    /// Calls `body` for each item of a comma-separated list (RFC 9110, section 5.6.1).
    fileprivate func forEachOption(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        let bytes = wireForm.span
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
            var (first, last) = (start, end)
            while first < last, bytes[first].isBlank { first += 1 }
            while last > first, bytes[last - 1].isBlank { last -= 1 }
            body(first..<last)
            start = end + 1
        }
    }
}
