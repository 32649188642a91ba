import HTTP1
import HTTPTransport

extension ResponseParser {
    /// Reads an answer cut into pieces.
    ///
    /// - Parameters:
    ///   - pieces: In order; empty ones are passed over.
    ///   - isForHead: Whether the request's method is `HEAD`.
    ///   - maximumBytes: How large it may be.
    ///   - isEnded: Whether the connection ends behind the pieces.
    /// - Returns: The parser behind them.
    static func read(
        _ pieces: [ArraySlice<UInt8>],
        isForHead: Bool = false,
        maximumBytes: Int = 1 << 20,
        isEnded: Bool = false
    ) -> ResponseParser {
        var parser = ResponseParser(maximumBytes: maximumBytes)
        parser.begin(isForHead: isForHead)
        for piece in pieces where !piece.isEmpty { parser.take(Array(piece).span) }
        if isEnded { parser.takeEnd() }
        return parser
    }

    /// Reads an answer in one piece.
    static func read(
        _ text: String,
        isForHead: Bool = false,
        maximumBytes: Int = 1 << 20,
        isEnded: Bool = false
    ) -> ResponseParser {
        read([Array(text.utf8)[...]], isForHead: isForHead, maximumBytes: maximumBytes, isEnded: isEnded)
    }
}
