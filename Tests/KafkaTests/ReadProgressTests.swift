import Testing

@testable import Kafka

@Suite(.timeLimit(.minutes(1)))
struct ReadProgressTests {
    @Test
    func `the position follows what was handed over, and the end behind it`() {
        var progress = ReadProgress(from: 5)
        #expect(progress.position == 5)
        progress.waits(at: 7)
        #expect(progress.position == 5, "what lies before a message that waits may be no message")
        progress.handedOver(upTo: 8)
        #expect(progress.position == 8)
        progress.passed(to: 10)
        #expect(progress.position == 10)
        progress.handedOver(upTo: 11)
        #expect(progress.position == 11)
    }

    @Test
    func `a first message that waits says where reading began`() {
        var progress = ReadProgress(from: nil)
        #expect(progress.position == nil)
        progress.waits(at: 7)
        #expect(progress.position == 7)
    }
}
