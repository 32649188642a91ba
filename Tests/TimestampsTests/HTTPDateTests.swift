import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777)), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            // A wrong weekday is harmless.
            ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int64)]
    )
    func `the preferred form is parsed`(text: String, seconds: Int64) {
        #expect(Timestamp(httpDate: text) == Timestamp(seconds: seconds))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Fri, 30 Feb 2024 00:00:00 GMT",
        "Sun, 06 Nov 1994  08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 -8:49:37 GMT", "Xxx, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 9999 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
    ])
    func `another form is refused`(text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }

    @Test(
        arguments: [
            (Int64(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-86_400 * 7, "Thu, 25 Dec 1969 00:00:00 GMT"),
        ] as [(Int64, String)]
    )
    func `the preferred form is written`(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).httpDate == text)
    }

    @Test func `a written date is parsed back`() {
        for seconds in stride(from: Int64(-9_200_000_000), through: 9_200_000_000, by: 7_777_777) {
            let timestamp = Timestamp(seconds: seconds)
            #expect(Timestamp(httpDate: timestamp.httpDate) == timestamp)
        }
    }
}
