import FoundationEssentials

/// Finds the places where a value shows a secret, or a part of it.
///
/// Looks for the secret as text, in base 64, in hex, and as a list of numbers, which is how an array of bytes is printed: in
/// `description`, in `debugDescription` and in a dump.
///
/// - Parameters:
///   - secret: Its bytes. In a long secret, any twelve consecutive bytes count.
///   - value: A value that contains it.
/// - Returns: The places, such as `dump: numbers`; empty if the secret is hidden.
package func leaks(of secret: [UInt8], in value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    let texts = [
        ("description", String(describing: value)), ("debugDescription", String(reflecting: value)), ("dump", dumped),
    ]
    return texts.flatMap { name, text in leaks(of: secret, in: text).map { "\(name): \($0)" } }
}

private func leaks(of secret: [UInt8], in text: String) -> [String] {
    // Whole groups of base 64, so that each piece has the same encoding as within the whole.
    let size = 12
    let starts = stride(from: 0, to: max(1, secret.count - size + 1), by: size)
    let pieces = starts.map { Array(secret[$0..<min(secret.count, $0 + size)]) }
    let numbers = " " + text.split { !$0.isNumber }.joined(separator: " ") + " "
    let digits = text.lowercased()
    var found: [String] = []
    func look(_ form: String, _ isShown: ([UInt8]) -> Bool) {
        if pieces.contains(where: { !$0.isEmpty && isShown($0) }) { found.append(form) }
    }
    look("text") { text.contains(String(decoding: $0, as: UTF8.self)) }
    look("base 64") { piece in
        let encoded = Data(piece).base64EncodedString().prefix(piece.count / 3 * 4)
        let forURLs = encoded.replacing("+", with: "-").replacing("/", with: "_")
        return !encoded.isEmpty && (text.contains(encoded) || text.contains(forURLs))
    }
    look("hex") { digits.contains($0.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()) }
    look("numbers") { numbers.contains(" " + $0.map { "\($0)" }.joined(separator: " ") + " ") }
    return found
}
