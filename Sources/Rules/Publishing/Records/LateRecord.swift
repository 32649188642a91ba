/// A record that a writer put into the ledger of a partition after it had lost the partition.
package struct LateRecord: Sendable {
    /// The story of the record.
    package var story: String
    package var facts: StoryFacts
    /// Whether it is the latest record of the story, so that the ledger must get the merged facts.
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
