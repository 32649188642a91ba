/// The position of a record in a trace, in the form of W3C's Trace Context (https://www.w3.org/TR/trace-context/, section 3.2).
package struct TraceParent: Sendable, Hashable {
    /// The unchanged value of the header.
    package let text: String

    /// The name of the header.
    package static let header = "traceparent"

    /// The length of version 00; later versions begin with the same members.
    private static let length = 55

    /// Parses a header.
    ///
    /// - Parameter bytes: The value of the header. Invalid values give `nil`.
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

    /// The trace identifier, for logs.
    package static func traceID(of text: String) -> String { String(text.dropFirst(3).prefix(32)) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || byte == UInt8(ascii: "-")
    }
}
