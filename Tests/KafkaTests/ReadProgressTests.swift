import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct ReadProgressTests {
    @Test
    func `the position follows handed-over messages and passed offsets`() {
        var progress = ReadProgress(from: 5)
        #expect(progress.position == 5)
        progress.waits(at: 7)
        #expect(progress.position == 5, "the records before a message that waits may be control records")
        progress.handedOver(upTo: 8)
        #expect(progress.position == 8)
        progress.passed(to: 10)
        #expect(progress.position == 10)
        progress.handedOver(upTo: 11)
        #expect(progress.position == 11)
    }

    @Test
    func `a first message that waits determines where reading began`() {
        var progress = ReadProgress(from: nil)
        #expect(progress.position == nil)
        progress.waits(at: 7)
        #expect(progress.position == 7)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct CommittableEndTests {
    @Test
    func `the end is committed once all messages before it are processed`() {
        var progress = ReadProgress(from: 5)
        progress.handedOver(upTo: 8)
        progress.passed(to: 10)
        #expect(progress.committableEnd == nil)
        #expect(progress.processed(upTo: 7) == 7)
        #expect(progress.committableEnd == nil)
        #expect(progress.processed(upTo: 8) == 10)
        #expect(progress.committableEnd == 10)
    }

    @Test
    func `a passed offset before a message is not committed after it`() {
        var progress = ReadProgress(from: 5)
        progress.passed(to: 8)
        #expect(progress.committableEnd == 8)
        progress.handedOver(upTo: 9)
        #expect(progress.committableEnd == nil)
        #expect(progress.processed(upTo: 9) == 9)
        #expect(progress.committableEnd == nil)
    }

    @Test
    func `an end before which nothing was read is committed, and the beginning of an empty partition is not`() {
        var progress = ReadProgress(from: nil)
        progress.passed(to: 3)
        #expect(progress.committableEnd == 3)
        var empty = ReadProgress(from: 0)
        empty.passed(to: 0)
        #expect(empty.committableEnd == nil)
    }

    @Test
    func `a first message that waits prevents a commit beyond it`() {
        var progress = ReadProgress(from: nil)
        progress.waits(at: 7)
        progress.passed(to: 9)
        #expect(progress.committableEnd == nil)
    }
}
