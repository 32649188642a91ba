/// The maximum lengths of a message's texts, regardless of their later use: `limits:` of the configuration.
///
/// The configuration sets only the characters. The limit in bytes always applies: a headline of 1,000 characters, which a
/// configuration may allow, is cut at 341 if each has three bytes.
///
/// The defaults fill the four lines of a lock screen, and an alert of headline and summary fits in the 4,096 bytes that the
/// push services of Apple and Google accept.
package struct TextLimits: Sendable, Equatable {
    /// The range of limits for a headline with the words of its pattern, in characters.
    package static let headlines = 10...1000
    /// The range of limits for a summary, in characters.
    package static let summaries = 10...4000
    /// The maximum length of an ellipsis in characters (Unicode scalars).
    package static let longestEllipsis = 16

    /// The limit of the headline with the words of its pattern.
    package var headline: TextBudget
    /// The limit of the summary.
    package var summary: TextBudget

    package init(
        headline: TextBudget = TextBudget(characters: 178, bytes: 1_024),
        summary: TextBudget = TextBudget(characters: 400, bytes: 2_048)
    ) {
        self.headline = headline
        self.summary = summary
    }
}
