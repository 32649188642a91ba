import ASCII

/// The rule for the names of users, which the tag `username:NAME` addresses.
package enum UserName {
    /// The maximum number of characters in a name.
    package static let maximumLength = 64

    /// The rule in words, for messages.
    package static let rule = "1 to \(maximumLength) letters, digits and _ @ # . -"

    /// Whether a text is a valid name: only characters of tags, and none with a meaning in a tag expression.
    package static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "_@#.-".utf8.contains($0) }
    }
}
