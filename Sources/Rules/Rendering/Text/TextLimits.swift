/// How long the texts of a message may be, whatever becomes of them later: `limits:` of the configuration.
///
/// The configuration sets the characters alone. The bytes hold always: a headline of 1,000 characters, which a configuration may
/// allow, is cut at 341 if each has three bytes.
///
/// The defaults fill the four lines of a lock screen and leave an alert of headline and summary room in the 4,096 bytes
/// that the push services of Apple and Google take.
package struct TextLimits: Sendable, Equatable {
    /// The characters that a configuration can allow for a headline with the words around it.
    package static let headlines = 10...1000
    /// The characters that a configuration can allow for a summary.
    package static let summaries = 10...4000
    /// The most characters (Unicode scalars) of an ellipsis.
    package static let longestEllipsis = 16

    /// Room for the headline with the words around it.
    package var headline: TextBudget
    /// Room for the summary.
    package var summary: TextBudget

    package init(
        headline: TextBudget = TextBudget(characters: 178, bytes: 1_024),
        summary: TextBudget = TextBudget(characters: 400, bytes: 2_048)
    ) {
        self.headline = headline
        self.summary = summary
    }
}
