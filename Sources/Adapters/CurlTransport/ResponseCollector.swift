import HTTPTransport

/// Gathers an answer from the lines and pieces that libcurl hands over.
struct ResponseCollector {
    private(set) var headers = HTTPHeaders()
    private(set) var hasBegun = false
    var body: [UInt8] = []
    var isTooLarge = false

    /// Takes a status line, a header line or the blank line behind them.
    ///
    /// A status line begins anew: of several answers (100, a proxy's) the last counts.
    mutating func takeLine(_ bytes: UnsafeBufferPointer<CChar>) {
        hasBegun = true
        let line = String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = HTTPHeaders()
            return
        }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        headers.append(String(line[..<colon]), line[line.index(after: colon)...].trimmed)
    }
}

extension Substring {
    /// Without the white space of HTTP around it.
    fileprivate var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        let bytes = utf8.drop(while: isSpace)
        guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(bytes[...last]))
    }
}

extension HTTPHeaders.Field {
    /// Whether the field can stand on the wire (RFC 9110, section 5): no line break or NUL can smuggle another line in.
    var isSendable: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { $0 != 0 && $0 != 0x0D && $0 != 0x0A }
    }
}

extension Duration {
    /// For libcurl, which takes zero for never.
    var wholeMilliseconds: Int {
        max(1, Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
    }
}
