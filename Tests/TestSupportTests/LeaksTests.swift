import NewsflashTestSupport
import Testing

/// A secret is found in every form in which it can be printed.
@Suite(.timeLimit(.minutes(1)))
struct LeaksTests {
    /// Prints its text, and has no parts.
    private struct Shown: CustomStringConvertible, CustomReflectable {
        var description: String
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Prints nothing itself, but has parts.
    private struct Holder: CustomStringConvertible {
        var bytes: [UInt8]
        var description: String { "<redacted>" }
    }

    private static let secret = Array("open-sesame ✓ \u{0}\u{7}".utf8)
    private static let key = (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 3) }

    @Test(arguments: [
        ("a key: open-sesame ✓ \u{0}\u{7}", "text"), ("b3Blbi1zZXNhbWUg4pyTIAAH", "base 64"),
        ("b3Blbi1zZXNhbWUg4pyTIAAH==", "base 64"), ("6f70656e2d736573616d6520e29c93200007", "hex"),
        ("6F70656E2D736573616D6520E29C93200007", "hex"),
        ("[111, 112, 101, 110, 45, 115, 101, 115, 97, 109, 101, 32, 226, 156, 147, 32, 0, 7]", "numbers"),
        ("part of it: 111,112,101,110,45,115,101,115,97,109,101,32", "numbers"),
    ])
    func `a printed secret is found`(text: String, form: String) {
        #expect(leaks(of: Self.secret, in: Shown(description: text)).contains("description: \(form)"))
        #expect(leaks(of: Self.secret, in: Shown(description: text)).contains("debugDescription: \(form)"))
    }

    @Test func `a secret that only a dump shows is found, whole or in part`() {
        #expect(leaks(of: Self.secret, in: Holder(bytes: Self.secret)) == ["dump: numbers"])
        #expect(leaks(of: Self.key, in: Holder(bytes: Self.key)) == ["dump: numbers"])
        #expect(leaks(of: Self.key, in: Holder(bytes: Array(Self.key[12..<40]))) == ["dump: numbers"])
    }

    @Test func `a long secret is found in base 64 and hex, wherever a part of it begins`() {
        let text = Self.key.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        #expect(leaks(of: Self.key, in: text).contains("description: hex"))
        #expect(leaks(of: Array(Self.key.dropFirst(3)), in: text).contains("description: hex"))
        #expect(leaks(of: [251, 239, 190, 255], in: "--__").isEmpty)
        #expect(leaks(of: [251, 239, 190, 255, 255, 255], in: "--_-____").isEmpty)
        #expect(leaks(of: [251, 239, 190, 255, 255, 255], in: "----____").contains("description: base 64"))
    }

    @Test(arguments: ["", "<redacted>", "1111, 112, 101", "open sesame", "[1, 2, 3]"])
    func `a hidden secret is not found`(text: String) {
        #expect(leaks(of: Self.secret, in: Shown(description: text)).isEmpty)
        #expect(leaks(of: Self.key, in: Shown(description: text)).isEmpty)
    }
}
