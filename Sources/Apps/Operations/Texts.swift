import NewsflashObservability

extension String {
    /// The text for a terminal. Control characters, and those that change the writing direction, are escaped.
    package var harmless: String {
        var bytes: [UInt8] = []
        bytes.append(escaping: self, isQuoted: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text for a terminal, whose lines stay lines.
    package var harmlessLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).harmless }.joined(separator: "\n")
    }
}

/// A number with its noun, such as `1 event`, `2 events` or `2 stories`.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
