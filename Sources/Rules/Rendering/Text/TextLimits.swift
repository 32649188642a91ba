/// How long the texts of a message may be, whatever becomes of them later: `limits:` of the configuration.
///
/// The defaults fill the four lines of a lock screen and leave an alert of headline and summary room in the 4,096 bytes
/// that the push services of Apple and Google take.
package struct TextLimits: Sendable, Equatable {
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
