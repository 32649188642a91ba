import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FieldBytesTests {
    @Test(arguments: [1, 7, 8, 9, 17])
    func `the ends of a token and of a value are found as by a look at each byte`(length: Int) {
        for place in 0..<length {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                // White space and bytes beyond ASCII are allowed in values.
                if length > 8 { bytes.replaceSubrange(2..<5, with: [0x09, 0x20, 0xFC]) }
                bytes[place] = byte

                let token = bytes.firstIndex { !$0.isTokenByte } ?? length
                let value = bytes.firstIndex(where: \.isControlInValue) ?? length
                let found = (
                    bytes.span.endOfToken(from: 0, below: length), bytes.span.endOfValueText(from: 0, below: length)
                )
                #expect(found == (token, value), "\(bytes)")
            }
        }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 16, 17])
    func `a control character in a value is found, and so is a wrong byte in a name`(length: Int) {
        for place in 0..<length {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                bytes[place] = byte
                var named: HTTPHeaders = []
                named.append(bytes.span, [UInt8(ascii: "b")].span)
                var valued: HTTPHeaders = []
                valued.append("A", bytes.span)

                #expect((named.validity == .valid) == byte.isTokenByte, "\(bytes)")
                #expect(named.wireForm.isEmpty != byte.isTokenByte, "\(bytes)")
                #expect((valued.validity == .valid) == !byte.isControlInValue, "\(bytes)")
                #expect(valued.fields.count == 1, "\(bytes)")
            }
        }
    }
}
