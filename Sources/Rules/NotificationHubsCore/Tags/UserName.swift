import ASCII

/// The rule for names of users, whom the tag `username:NAME` reaches.
package enum UserName {
    /// The longest name, in characters.
    package static let maximumLength = 64

    /// The rule in words, for messages.
    package static let rule = "1 to \(maximumLength) letters, digits and _ @ # . -"

    /// Whether a text may be a name: with characters that tags have, and none that has a meaning in a tag expression.
    package static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "_@#.-".utf8.contains($0) }
    }
}
