import NewsflashHTTP1
import NewsflashHTTPTransport

extension ResponseParser {
    /// Parses an answer that is split into pieces.
    ///
    /// - Parameters:
    ///   - pieces: The pieces in order; empty ones are skipped.
    ///   - isForHead: Whether the request's method is `HEAD`.
    ///   - maximumBytes: The maximum size in bytes.
    ///   - isEnded: Whether the connection ends after the pieces.
    /// - Returns: The parser after the pieces.
    static func read(
        _ pieces: [ArraySlice<UInt8>],
        isForHead: Bool = false,
        maximumBytes: Int = 1 << 20,
        isEnded: Bool = false
    ) -> ResponseParser {
        var parser = ResponseParser(maximumBytes: maximumBytes)
        parser.begin(isForHead: isForHead)
        for piece in pieces where !piece.isEmpty { parser.parse(Array(piece).span) }
        if isEnded { parser.parseEnd() }
        return parser
    }

    /// Parses an answer in one piece.
    static func read(
        _ text: String,
        isForHead: Bool = false,
        maximumBytes: Int = 1 << 20,
        isEnded: Bool = false
    ) -> ResponseParser {
        read([Array(text.utf8)[...]], isForHead: isForHead, maximumBytes: maximumBytes, isEnded: isEnded)
    }
}
