import NewsflashEvents
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventEncoderTests {
    private static let hold = NewsEvent(
        id: "e-1",
        source: "urn:cms",
        story: "s-1",
        revision: 2,
        kind: .hold,
        published: Timestamp(milliseconds: 1_772_438_400_050)
    )

    @Test func `members with their default are left out`() {
        let text = """
            {"v":1,"id":"e-1","source":"urn:cms","story":"s-1","revision":2,"kind":"hold",\
            "published":"2026-03-02T08:00:00.050Z"}
            """
        #expect(String(decoding: EventEncoder.encode(Self.hold), as: UTF8.self) == text)
    }

    @Test(arguments: [0, 1, -1, 999_999, 1_772_438_400_123_456_789, 1_772_438_400_000_000_001, .min, .max] as [Int64])
    func `a time is kept to the nanosecond`(_ nanoseconds: Int64) {
        var event = Self.hold
        event.published = Timestamp(nanoseconds: nanoseconds)
        let outcome = EventDecoder(defaultSource: "other").decode(bytes: EventEncoder.encode(event))
        #expect(outcome == .event(event, warnings: []))
    }

    @Test(arguments: EventKind.allCases) func `an encoded event is decoded back unchanged`(_ kind: EventKind) {
        let event = NewsEvent(
            id: "e\"1",
            source: "urn:cms",
            story: "s/1\\",
            revision: 9_007_199_254_740_991,
            kind: kind,
            urgency: 7,
            published: Timestamp(seconds: 1_772_438_400),
            embargo: Timestamp(seconds: 1_772_438_460),
            expires: Timestamp(seconds: 1_772_438_520),
            categories: ["world", "geo:PS"],
            language: "ar",
            text: [
                EventText(language: "ar", headline: "زلزال \u{2028}\u{202E}\"بقوة\"", summary: "\n\u{1}"),
                EventText(language: "zh-Hans", headline: "塞雷诺港 😀"),
            ],
            url: "https://news.example.org/?a=1&b=%20",
            image: "https://img.example.org/1.jpg",
            approvedBy: ["ed:novák", "ed:b"],
            mode: .backfill,
            note: "</b>",
            users: ["anna", "ben@example.org"],
            delivery: .secure
        )
        let outcome = EventDecoder(defaultSource: "other").decode(bytes: EventEncoder.encode(event))
        #expect(outcome == .event(event, warnings: []))
    }
}
