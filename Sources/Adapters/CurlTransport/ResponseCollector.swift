import HTTPTransport

/// Puts an answer together from the lines and pieces that libcurl hands over.
struct ResponseCollector {
    private let maximumBytes: Int
    private var receivedBytes = 0
    private var fields: [HTTPHeaders.Field] = []
    private var body: [UInt8] = []

    /// Whether the blank line after the headers is still to come.
    ///
    /// libcurl takes a connection that ends here for the end of an answer without a body.
    private(set) var isInHeaderSection = false
    /// Whether the answer went beyond the limit.
    private(set) var isTooLarge = false
    /// Whether any byte of an answer has come.
    var hasBegun: Bool { receivedBytes > 0 }

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Takes a line of a header section, with its line end.
    ///
    /// A status line begins a new answer (after 100 or 103) and forgets the one before; lines behind the body are
    /// trailers and left out.
    ///
    /// - Returns: Whether to go on.
    mutating func takeLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count(line.count) else { return false }
        if line.starts(with: "HTTP/".utf8) {
            isInHeaderSection = true
            fields.removeAll(keepingCapacity: true)
            // Few answers have more; growing step by step would allocate four times.
            fields.reserveCapacity(12)
            body = []
            return true
        }
        let content = line.trimmed
        if content.isEmpty {
            isInHeaderSection = false
        } else if isInHeaderSection, line[0] > 0x20, let colon = content.firstIndex(of: UInt8(ascii: ":")) {
            fields.append(
                HTTPHeaders.Field(
                    String(decoding: content[..<colon], as: UTF8.self),
                    String(decoding: content[(colon + 1)...].trimmed, as: UTF8.self)
                )
            )
        }
        return true
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: Whether to go on.
    mutating func takeBody(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count(piece.count) else { return false }
        body.append(contentsOf: piece)
        return true
    }

    /// The answer, once it is whole.
    func response(status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders(fields), body: body)
    }

    private mutating func count(_ bytes: Int) -> Bool {
        receivedBytes += bytes
        isTooLarge = receivedBytes > maximumBytes
        return !isTooLarge
    }
}

extension BidirectionalCollection where Element == UInt8, SubSequence: BidirectionalCollection {
    /// Without blanks, tabs and line ends around it.
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return self[endIndex..<endIndex]
        }
        return self[first...last]
    }
}
