import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

@Suite(.timeLimit(.minutes(1)))
struct ContentDigestTests {
    private func digest(_ categories: [String], headline: String = "h", url: String? = nil) -> ContentDigest {
        digest(categories, [EventText(language: "en", headline: headline)], url: url)
    }

    private func digest(
        _ categories: [String],
        _ text: [EventText],
        url: String?,
        expires: Timestamp? = nil
    ) -> ContentDigest {
        ContentDigest(
            of: NewsEvent(
                id: "e",
                source: "s",
                story: "t",
                revision: 1,
                kind: .alert,
                published: Timestamp(seconds: 0),
                expires: expires,
                categories: categories,
                text: text,
                url: url
            )
        )
    }

    @Test func `the digest ignores the order of categories and repeated ones`() {
        let digest = digest(["world", "sports", "science"])
        #expect(self.digest(["science", "world", "sports"]) == digest)
        #expect(self.digest(["science", "world", "sports", "world"]) == digest)
    }

    @Test func `other audiences, other words and other links change the digest`() {
        let digest = digest(["world"])
        #expect(self.digest(["world", "sports"]) != digest)
        #expect(self.digest(["sports"]) != digest)
        #expect(self.digest(["world"], headline: "g") != digest)
        #expect(self.digest(["world"], url: "https://news.example.org/") != digest)
    }

    /// Ledgers contain digests: with another value for the same event it would be sent again.
    @Test func `digests are the same in all versions`() {
        #expect(digest(["world"]).value == 0x1F77_9615_58F8_CE70)
        let texts = [
            EventText(language: "fr", headline: " L’été  à Orléans\t"),
            EventText(language: "en", headline: "Storm reaches coast", summary: "Thousands leave\n their homes"),
            EventText(language: "cs", headline: "Bouře zasáhla pobřeží"),
        ]
        let digest = digest(
            ["world", "sports", "medtop:16000000", "sports"],
            texts,
            url: "https://news.example.org/1",
            expires: Timestamp(seconds: 1_772_438_401)
        )
        #expect(digest.value == 0x9800_A2A6_6B06_2ED5)
        #expect(ContentDigest.ofHeadlines(texts) == 0x24FA_A9DF_B80F_6E9F)
    }
}
