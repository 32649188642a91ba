import NewsEvents
import Publishing
import Testing
import Timestamps

@Suite(.timeLimit(.minutes(1)))
struct ContentDigestTests {
    private func digest(_ categories: [String], headline: String = "h", url: String? = nil) -> ContentDigest {
        ContentDigest(
            of: NewsEvent(
                id: "e",
                source: "s",
                story: "t",
                revision: 1,
                kind: .alert,
                published: Timestamp(seconds: 0),
                categories: categories,
                text: [EventText(language: "en", headline: headline)],
                url: url
            )
        )
    }

    @Test func `the order of categories makes no other event, nor does one named twice`() {
        let digest = digest(["world", "sports", "science"])
        #expect(self.digest(["science", "world", "sports"]) == digest)
        #expect(self.digest(["science", "world", "sports", "world"]) == digest)
    }

    @Test func `other readers, other words and other links make another event`() {
        let digest = digest(["world"])
        #expect(self.digest(["world", "sports"]) != digest)
        #expect(self.digest(["sports"]) != digest)
        #expect(self.digest(["world"], headline: "g") != digest)
        #expect(self.digest(["world"], url: "https://news.example.org/") != digest)
    }
}
