import NewsflashSigning
import Testing

/// Published vectors: FIPS 180-4 examples, RFC 4231, RFC 4648 section 10.
@Suite(.timeLimit(.minutes(1)))
struct SigningTests {
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func `the hashes of published examples are right`(text: String, digest: String) {
        #expect(hex(SHA256Digest.hash(of: Array(text.utf8))) == digest)
    }

    @Test(arguments: ["", "abc", "story-17", "größe 😀", String(repeating: "x", count: 1000)])
    func `the short digest is the first eight bytes of the whole`(text: String) {
        let bytes = SHA256Digest.hash(of: Array(text.utf8)).prefix(8)
        #expect(SHA256Digest.beginning(of: text) == bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    @Test(
        arguments: [
            (
                "Jefe", "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                String(repeating: "\u{0B}", count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            // Published with the JavaScript SDK for Notification Hubs.
            ("mysecretkey", "mydata", "bb425342d49b842a3cafbf98aff44d8893aceff5700e2ade1c05e8bef2c16d7a"),
            ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ])
    func `the signatures of published examples are right`(key: String, message: String, code: String) {
        #expect(hex(HMACSHA256.code(for: Array(message.utf8), key: Array(key.utf8))) == code)
    }

    @Test func `a key longer than a block can sign`() {
        let code = HMACSHA256.code(
            for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131)
        )
        #expect(hex(code) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{3FB}\u{3FF}~", "z7vPv34="),
        ])
    func `base 64 is encoded and decoded`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9", "Zm9v\n", "Zm-_", "Zé=="])
    func `base 64 in another form is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `equal and different bytes are distinguished`() {
        #expect(isEqualInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(isEqualInConstantTime([], []))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2]))
    }
}

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
