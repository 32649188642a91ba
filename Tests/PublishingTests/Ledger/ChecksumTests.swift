import Testing

@testable import NewsflashPublishing

@Suite(.timeLimit(.minutes(1)))
struct ChecksumTests {
    /// The sum over words, each composed of its bytes.
    private static func plainSum(_ bytes: [UInt8]) -> UInt64 {
        var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let word = bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            sum = Checksum.step(sum, word)
        }
        return sum
    }

    @Test(arguments: 0...33)
    func `the sum of a range is the same as with single bytes`(_ count: Int) {
        for first in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
            let bytes = (0..<count).map { first &+ UInt8($0) &* 37 }
            #expect(Checksum.of(bytes.span) == Self.plainSum(bytes))
        }
    }
}
