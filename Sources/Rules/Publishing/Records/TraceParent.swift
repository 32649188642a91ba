/// The place of a record in a trace, as W3C's Trace Context writes it (https://www.w3.org/TR/trace-context/, section 3.2).
package struct TraceParent: Sendable, Hashable {
    /// As it came.
    package let text: String

    /// The header that carries it.
    package static let header = "traceparent"

    /// The length of version 00; later versions begin with the same members.
    private static let length = 55

    /// Reads a header.
    ///
    /// - Parameter bytes: Its value. What does not fit the standard is nobody's trace, and is left out.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, bytes.count <= 256 else { return nil }
        let dash = UInt8(ascii: "-")
        guard [2, 35, 52].allSatisfy({ bytes[$0] == dash }), bytes.allSatisfy(Self.isAllowed) else { return nil }
        let version = bytes[0..<2]
        let rest = bytes[Self.length...]
        guard version.elementsEqual("00".utf8) ? rest.isEmpty : rest.first.map({ $0 == dash }) ?? true else {
            return nil
        }
        let zero = UInt8(ascii: "0")
        guard !version.elementsEqual("ff".utf8), !bytes[3..<35].allSatisfy({ $0 == zero }),
            !bytes[36..<52].allSatisfy({ $0 == zero }), bytes[0..<Self.length].count(where: { $0 == dash }) == 3
        else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The trace's name in logs.
    package static func traceID(of text: String) -> String { String(text.dropFirst(3).prefix(32)) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || byte == UInt8(ascii: "-")
    }
}
