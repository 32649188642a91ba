import NewsflashBasics
import NewsflashHTTPTransport

/// Parses the framing of a chunked body (RFC 9112, section 7.1): sizes and line ends. Trailers are checked and discarded.
struct ChunkScanner {
    private enum Place {
        /// In the digits of a size.
        case size(isEmpty: Bool)
        /// In white space after a size; only an extension may follow.
        case blank
        case extensions
        case sizeEnd
        case data
        case dataEnd
        case dataLineEnd
        case trailers(SectionScanner)
        case done
    }

    private var place = Place.size(isEmpty: true)
    /// The remaining bytes of the chunk.
    private var left = 0
    /// The size of the extensions in the current size line.
    private var extensionBytes = 0

    private static let maximumExtensionBytes = 1024

    /// Whether the last chunk and the trailers have been parsed.
    var isDone: Bool {
        if case .done = place { true } else { false }
    }

    /// Continues to the next piece of the body, or to the end of the body or the input.
    ///
    /// - Parameters:
    ///   - bytes: The input.
    ///   - position: The start position in the input; moved to the end of the parsed bytes.
    ///   - limit: The maximum size of a chunk in bytes.
    /// - Returns: The position of a piece of the body; empty if there is none.
    /// - Throws: ``InvalidResponseError`` at the first invalid byte.
    mutating func scan(
        _ bytes: Span<UInt8>,
        at position: inout Int,
        limit: Int
    ) throws(InvalidResponseError) -> Range<Int> {
        while position < bytes.count {
            switch place {
            case .data:
                let start = position
                position += min(left, bytes.count - position)
                left -= position - start
                if left == 0 { place = .dataEnd }
                return start..<position
            case .trailers(var scanner):
                try scanner.scan(bytes, at: &position)
                place = scanner.isDone ? .done : .trailers(scanner)
            case .done:
                return position..<position
            default:
                try scanFraming(bytes[position], limit: limit)
                position += 1
            }
        }
        return position..<position
    }

    private mutating func scanFraming(_ byte: UInt8, limit: Int) throws(InvalidResponseError) {
        switch place {
        case .size(let isEmpty):
            if let digit = byte.hexadecimalValue {
                guard left < 1 << 56 else { throw .tooLarge }
                left = left << 4 | digit
                guard left <= limit else { throw .tooLarge }
                place = .size(isEmpty: false)
                return
            }
            guard !isEmpty else { throw .chunkSize }
            extensionBytes = 0
            place = try placeBehindSize(byte)
        case .blank:
            if !byte.isBlank {
                guard byte == UInt8(ascii: ";") else { throw .chunkSize }
                place = .extensions
            }
            try countExtension()
        case .extensions:
            guard byte == UInt8(ascii: "\r") || !byte.isControlInValue else { throw .chunkSize }
            if byte == UInt8(ascii: "\r") { place = .sizeEnd }
            try countExtension()
        case .sizeEnd:
            guard byte == UInt8(ascii: "\n") else { throw .lineEnd }
            place = left == 0 ? .trailers(SectionScanner(isTrailer: true)) : .data
        case .dataEnd:
            guard byte == UInt8(ascii: "\r") else { throw .chunkEnd }
            place = .dataLineEnd
        case .dataLineEnd:
            guard byte == UInt8(ascii: "\n") else { throw .chunkEnd }
            place = .size(isEmpty: true)
        case .data, .trailers, .done:
            break
        }
    }

    private func placeBehindSize(_ byte: UInt8) throws(InvalidResponseError) -> Place {
        switch byte {
        case UInt8(ascii: "\r"): return .sizeEnd
        case UInt8(ascii: ";"): return .extensions
        case UInt8(ascii: " "), UInt8(ascii: "\t"): return .blank
        case UInt8(ascii: "\n"): throw .lineEnd
        default: throw .chunkSize
        }
    }

    private mutating func countExtension() throws(InvalidResponseError) {
        extensionBytes += 1
        guard extensionBytes <= Self.maximumExtensionBytes else { throw .chunkSize }
    }
}
