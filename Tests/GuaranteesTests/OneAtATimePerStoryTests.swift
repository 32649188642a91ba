import NewsflashGuarantees
import Testing

/// The check of parallel requests; it must be able to fail.
@Suite(.timeLimit(.minutes(1)))
struct OneAtATimePerStoryTests {
    private func check(_ sends: [(String, String, Int)]) -> OneAtATimePerStory {
        OneAtATimePerStory(
            evidence([record("a", 1), record("a", 2), record("b", 1)], sends),
            latency: .milliseconds(20)
        )
    }

    @Test
    func `a second request of a story before the response to the first is a fault`() {
        #expect(
            check([("a-1", "w", 0), ("a-2", "w", 19)]).faults == ["a-2 19 ms after a-1, before its response"]
        )
        #expect(check([("a-1", "w", 0), ("a-1", "w", 5)]).faults == ["a-1 5 ms after a-1, before its response"])
    }

    @Test
    func `another story, and the same one after the response, are allowed`() {
        let check = check([("a-1", "w", 0), ("b-1", "w", 1), ("a-2", "w", 20)])
        #expect(check.isMet)
        #expect(check.figures == "0 at the same time")
    }
}
