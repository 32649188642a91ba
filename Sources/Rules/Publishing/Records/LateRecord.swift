/// A record that a writer put into the ledger of a partition after it had lost the partition.
package struct LateRecord: Sendable {
    /// The story that it is of.
    package var story: String
    package var facts: StoryFacts
    /// Whether no record of the story came after it, so that the ledger has to get the merged facts.
    package var isLatest: Bool

    package init(story: String, _ facts: StoryFacts, isLatest: Bool = true) {
        self.story = story
        self.facts = facts
        self.isLatest = isLatest
    }

    /// Merges another late record of the same story.
    mutating func merge(_ other: LateRecord) {
        facts.merge(other.facts)
        isLatest = isLatest || other.isLatest
    }
}
