import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Times as feeds write them.
@Suite(.timeLimit(.minutes(1)))
struct FeedTimeTests {
    @Test(arguments: [
        "2026-03-02T09:00:00Z", "2026-03-02T09:00:00.000Z", "2026-03-02T10:00:00+0100", "2026-03-02T10:00:00+01",
        "2026-03-02T10:00:00 +0100", "2026-03-02 09:00:00Z", "2026-03-02T09:00Z", "2026-03-02T04:00-05:00",
        "20260302T090000Z", "20260302T100000+0100", "20260302T0900Z", "2026-03-02t09:00:00,0000000000z",
    ])
    func `a time is read in each form that names one instant`(_ text: String) {
        #expect(FeedTime.instant(text) == Timestamp(seconds: 1_772_442_000))
    }

    @Test(arguments: [
        "", "2026-03-02", "2026-03-02T09:00:00", "2026-3-2T09:00:00Z", "2026-02-30T09:00:00Z", "2026-03-02T24:00:00Z",
        "2026-03-02T09:00:00Zz", "2026-03-02T09:00:00+1", "2026-03-02T09:00:00.Z", "2026-03-02T09Z", "20260302",
        "2026-0302T09:00:00Z", "2026-03-02T09:00:00+01:0", "09:00", "tomorrow", "1772442000", "٢٠٢٦-03-02T09:00:00Z",
    ])
    func `a time that does not name an instant is not read`(_ text: String) {
        #expect(FeedTime.instant(text) == nil)
    }

    @Test func `a time without an offset is in the time zone of the feed`() throws {
        let rule = ZoneFile.bytes(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        let prague = try TimeZoneRules(name: "Europe/Prague", tzif: rule.span)
        #expect(FeedTime.instant("2026-03-02T10:00:00", in: prague) == Timestamp(seconds: 1_772_442_000))
        #expect(FeedTime.instant("2026-07-02T11:00:00.5", in: prague) == Timestamp(milliseconds: 1_782_982_800_500))
        #expect(FeedTime.instant("2026-02-30T10:00:00", in: prague) == nil)
        // The clocks are set back from 03:00 to 02:00, and forward from 02:00 to 03:00.
        let twice = "2026-10-25T02:30:00"
        #expect(FeedTime.rfc3339(twice, in: prague) == "2026-10-25T00:30:00.000Z")
        #expect(FeedTime.rfc3339(twice, in: prague, isLatest: true) == "2026-10-25T01:30:00.000Z")
        #expect(FeedTime.rfc3339("2026-03-29T02:30:00", in: prague) == "2026-03-29T01:30:00.000Z")
    }

    @Test(arguments: [
        ("1772442000", true), ("1772442000000", true), (#""1772442000""#, true), (#""1772442000000""#, true),
        ("0", false), ("-5", false), ("1.5", false), ("true", false), (#""17724420""#, false), ("[]", false),
        (#""0001-01-01T00:00:00Z""#, false),
    ])
    func `the time of a version may be a number`(_ json: String, _ isRead: Bool) throws {
        let value = try JSONReader.read(json)
        #expect(FeedTime.published(value, in: nil) == (isRead ? "2026-03-02T09:00:00.000Z" : nil))
    }
}
