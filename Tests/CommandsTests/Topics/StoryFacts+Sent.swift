import NewsflashEvents
import NewsflashPublishing
import NewsflashTimestamps

extension StoryFacts {
    /// The facts of a story after its first alert was sent.
    static var sent: StoryFacts {
        StoryFacts(
            revision: 1,
            eventID: "e-1",
            source: "desk",
            kind: .alert,
            digest: ContentDigest(value: 42),
            isFinal: true,
            changedAt: .now()
        )
    }
}
