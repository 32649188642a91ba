import FoundationEssentials

/// Whether texts for people contain no secret, in any form of Swift, a log or a URL.
package struct NoSecretShown: Guarantee {
    package let faults: [String]
    private let count: Int

    /// Looks for secrets.
    ///
    /// - Parameters:
    ///   - secrets: Their bytes; each is looked for as text, base 64, hexadecimal digits and a list of numbers.
    ///   - words: Words that only appear together with a secret, such as `sig=`.
    ///   - texts: Log lines, pages, records.
    package init(of secrets: [[UInt8]], words: [String] = [], in texts: [String]) {
        let forms = secrets.flatMap(Self.forms) + words.map { ("the word \($0)", $0) }
        faults = texts.flatMap { text in
            forms.filter { text.contains($0.1) }.map { "\($0.0) in a text that begins with \"\(text.prefix(24))\"" }
        }
        count = texts.count
    }

    package var figures: String { "\(faults.count) secrets in \(count) texts" }

    private static func forms(of secret: [UInt8]) -> [(String, String)] {
        let base64 = String(Data(secret).base64EncodedString().prefix { $0 != "=" })
        let hexadecimal = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let urlSafe = base64.replacing("+", with: "-").replacing("/", with: "_")
        var forms = [
            ("base 64", base64), ("hexadecimal digits", hexadecimal),
            ("hexadecimal digits", hexadecimal.uppercased()),
            // Without brackets, because the list may be a part of a longer one.
            ("numbers", secret.map { String($0) }.joined(separator: ", ")),
        ]
        if urlSafe != base64 { forms.append(("base 64", urlSafe)) }
        if let text = String(validating: secret, as: UTF8.self) { forms.append(("text", text)) }
        return forms
    }
}
