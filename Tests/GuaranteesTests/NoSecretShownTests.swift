import NewsflashGuarantees
import Testing

/// The search for secrets; it must find each form of one.
@Suite(.timeLimit(.minutes(1)))
struct NoSecretShownTests {
    /// Bytes whose base 64 differs in URLs.
    private let secret: [UInt8] = [251, 255, 190, 65, 66, 67, 68, 69]

    @Test(arguments: [
        ("+/++QUJDREU=", "base 64"), ("-_--QUJDREU", "base 64"), ("fbffbe4142434445", "hexadecimal digits"),
        ("FBFFBE4142434445", "hexadecimal digits"), ("[1, 251, 255, 190, 65, 66, 67, 68, 69, 2]", "numbers"),
    ])
    func `a secret is found in each form, also within a longer one`(form: String, name: String) {
        let check = NoSecretShown(of: [secret], in: ["nothing", "key: \(form), and more"])
        #expect(check.faults.count == 1)
        #expect(check.faults.first?.hasPrefix(name) == true, "\(check.faults)")
    }

    @Test
    func `a secret that is a text is found unchanged`() {
        let check = NoSecretShown(of: [Array("open sesame".utf8)], in: ["she said open sesame!"])
        #expect(check.faults == ["text in a text that begins with \"she said open sesame!\""])
        #expect(check.figures == "1 secrets in 1 texts")
    }

    @Test
    func `a word that accompanies secrets is found`() {
        #expect(!NoSecretShown(of: [], words: ["sig="], in: ["?sr=a&sig=b"]).isMet)
    }

    @Test
    func `texts without a whole secret are fine`() {
        #expect(NoSecretShown(of: [secret], words: ["sig="], in: ["fbffbe", "251, 255", "signature", ""]).isMet)
    }
}
