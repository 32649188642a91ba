import NewsflashTestSupport
import Testing

@testable import NewsflashRouting

@Suite(.timeLimit(.minutes(1)))
struct SortedOnceTests {
    @Test(arguments: [
        "", "a", "a a", "a b", "b a", "a b c", "a a b", "a b b", "b b a", "c b a b c", "é e\u{301}", "a é e\u{301} a",
        "B a b A",
    ])
    func `sorting once has the same result as a sorted set of the texts`(words: String) {
        let texts = words.split(separator: " ").map(String.init)
        #expect(texts.sortedOnce() == Set(texts).sorted())
    }
}
