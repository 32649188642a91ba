import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TrackingIDTests {
    /// Returns the same two words in turn.
    private struct Words: RandomNumberGenerator {
        var words: [UInt64]

        mutating func next() -> UInt64 {
            words.append(words.removeFirst())
            return words[words.count - 1]
        }
    }

    @Test(
        arguments: [
            ([0, 0], "00000000-0000-4000-8000-000000000000"),
            ([.max, .max], "ffffffff-ffff-4fff-bfff-ffffffffffff"),
            ([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210], "01234567-89ab-4def-bedc-ba9876543210"),
            ([0x9a9a_9a9a_a9a9_a9a9, 0xa9a9_a9a9_9a9a_9a9a], "9a9a9a9a-a9a9-49a9-a9a9-a9a99a9a9a9a"),
        ] as [([UInt64], String)]
    )
    func `the digits of a GUID of version 4 are written`(words: [UInt64], id: String) {
        var generator = Words(words: words)

        #expect(TrackingID.random(using: &generator) == id)
    }
}
