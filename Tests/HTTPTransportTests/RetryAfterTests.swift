import NewsflashHTTPTransport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    private let now = Timestamp(seconds: 784_111_777)

    @Test(arguments: [
        ("0", Duration.zero), ("10", .seconds(10)), ("007", .seconds(7)), ("3600", .seconds(3600)),
        ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
        ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
        ("999999999999", .seconds(315_360_000)), ("99999999999999999999999", .seconds(315_360_000)),
    ])
    func `seconds and dates are parsed`(value: String, pause: Duration) {
        #expect(RetryAfter.pause(value, now: now) == pause)
    }

    @Test(arguments: [
        "", " ", "-1", "+1", "1.5", "10 s", "soon", "١٠", "1994-11-06T08:50:37Z", "Sunday, 06-Nov-94 08:50:37 GMT",
    ])
    func `another form has no value`(value: String) {
        #expect(RetryAfter.pause(value, now: now) == nil)
    }
}
