import NewsflashStrictJSON
import NewsflashTimestamps
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct TimeShiftTests {
    private let shift = TimeShift(
        from: Timestamp(rfc3339: "2026-03-02T08:00:00.5Z") ?? Timestamp(nanoseconds: 0),
        to: Timestamp(rfc3339: "2026-11-21T15:00:00.123456Z") ?? Timestamp(nanoseconds: 0)
    )

    private func moved(_ text: String) throws -> String {
        var writer = JSONWriter()
        writer.value(shift.moved(try JSONReader.read(text)))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `the first event is published now, to the millisecond`() throws {
        #expect(
            try moved(#"{"published":"2026-03-02T08:00:00.500Z"}"#) == #"{"published":"2026-11-21T15:00:00.123Z"}"#
        )
    }

    @Test func `embargo and expiry keep their distance, whatever their time zone`() throws {
        #expect(
            try moved(#"{"embargo":"2026-03-02T10:00:00.5+01:00","expires":"2026-03-02T08:30:00.5Z"}"#)
                == #"{"embargo":"2026-11-21T16:00:00.123Z","expires":"2026-11-21T15:30:00.123Z"}"#
        )
    }

    @Test(arguments: [
        #"{"revision":1.0e1,"note":"2026-03-02T08:00:00Z","text":{"published":"2026-03-02T08:00:00Z"}}"#,
        #"{"published":17,"expires":"soon","embargo":null}"#,
        #"["2026-03-02T08:00:00Z"]"#,
    ])
    func `all other fields are unchanged`(document: String) throws {
        #expect(try moved(document) == document)
    }
}
