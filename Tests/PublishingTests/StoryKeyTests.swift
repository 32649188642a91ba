import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

@Suite(.timeLimit(.minutes(1)))
struct StoryKeyTests {
    private let mark = ReplayMark(id: "r-1.a", partition: 0, offset: 3, onlyTag: "test", at: Timestamp(milliseconds: 0))

    @Test(arguments: ["urn:desk:1", "a story with spaces", "replay", "replay:of:a match"])
    func `a story's key without marks is the story's identifier`(story: String) {
        #expect(StoryKey.of(story, mode: .live, replay: nil) == story)
        #expect(StoryKey.of(story, mode: .test, replay: nil) == "test:" + story)
        #expect(StoryKey.of(story, mode: .live, replay: mark) == "replay r-1.a " + story)
        #expect(StoryKey.of(story, mode: .test, replay: mark) == "replay r-1.a test:" + story)
        for mode in [EventMode.live, .test] {
            for replay in [nil, mark] {
                #expect(StoryKey.story(of: StoryKey.of(story, mode: mode, replay: replay)) == story)
            }
        }
    }

    @Test func `a replay for all subscribers has the key of live news`() {
        let mark = ReplayMark(id: "r-1.a", partition: 0, offset: 3, isAgain: true, at: Timestamp(milliseconds: 0))
        #expect(StoryKey.of("urn:desk:1", mode: .live, replay: mark) == "urn:desk:1")
    }
}
