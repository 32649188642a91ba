import NewsflashEvents
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventDecoderTests {
    private let decoder = EventDecoder(defaultSource: "urn:desk")

    private static let alert = """
        {"v":1,"id":"e-1","source":"urn:cms","story":"s-1","revision":3,"kind":"alert",\
        "published":"2026-03-02T09:00:00+01:00","categories":["world"],"text":{"en":{"headline":"Words"}}}
        """
    private static let withoutNames = alert.replacing(#""id":"e-1","source":"urn:cms","#, with: "")

    @Test func `every member is decoded`() {
        let text = """
            {"v":1.0,"id":"e-1","source":"../desk","story":"s-1","revision":9007199254740991,"kind":"flash","urgency":2,\
            "published":"2026-03-02T09:00:00.123456789+01:00","embargo":"2026-03-02T08:30:00z",\
            "expires":"9999-12-31T23:59:59Z","categories":["world","geo:PS"],"language":"pt-BR",\
            "text":{"pt-BR":{"headline":"Olá","summary":"Mundo"},"en":{"headline":"","subtitle":7}},\
            "url":"https://news.example.org/1","image":"https://img.example.org/é.jpg","approvedBy":["ed:a","ed:b"],\
            "mode":"test","note":"for the desk","unknown":{"a":[null]}}
            """
        let event = NewsEvent(
            id: "e-1",
            source: "../desk",
            story: "s-1",
            revision: 9_007_199_254_740_991,
            kind: .flash,
            urgency: 2,
            published: Timestamp(nanoseconds: 1_772_438_400_123_456_789),
            embargo: Timestamp(seconds: 1_772_440_200),
            expires: Timestamp(nanoseconds: .max),
            categories: ["world", "geo:PS"],
            language: "pt-BR",
            text: [
                EventText(language: "pt-BR", headline: "Olá", summary: "Mundo"),
                EventText(language: "en", headline: ""),
            ],
            url: "https://news.example.org/1",
            image: "https://img.example.org/é.jpg",
            approvedBy: ["ed:a", "ed:b"],
            mode: .test,
            note: "for the desk"
        )
        #expect(decode(text) == .event(event, warnings: []))
    }

    @Test(arguments: zip(EventKind.allCases, [1, 3, 4, 3, 1, 1]))
    func `source, urgency and mode have defaults`(_ kind: EventKind, _ urgency: Int) throws {
        let text = Self.alert.replacing("alert", with: kind.rawValue).replacing(#""source":"urn:cms","#, with: "")
        guard case .event(let event, []) = decode(text) else {
            Issue.record("\(decode(text))")
            return
        }
        #expect(event.source == "urn:desk")
        #expect(event.kind == kind)
        #expect(event.urgency == urgency)
        #expect(event.mode == .live)
    }

    @Test func `a missing value is a tombstone and an empty one is an error`() {
        #expect(decoder.decode(value: nil) == .tombstone)
        #expect(decoder.decode(bytes: nil, headers: Self.binaryHeaders()) == .tombstone)
        #expect(reason(of: decoder.decode(bytes: [])) == .empty)
    }

    @Test func `a value of exactly the allowed size is decoded, a larger one is refused`() {
        let bytes = Array(Self.alert.utf8)
        let exact = EventDecoder(defaultSource: "urn:desk", maximumBytes: bytes.count)
        #expect(reason(of: exact.decode(bytes: bytes)) == nil)
        #expect(reason(of: exact.decode(bytes: bytes + [0x20])) == .tooLarge)
        #expect(reason(of: exact.decode(bytes: [UInt8](repeating: 0xFF, count: bytes.count + 1))) == .tooLarge)
    }

    @Test(
        arguments: [
            ([0x00, 0x00, 0x00, 0x04, 0x12, 0x7B, 0x7D], .schema), ([0x00], .frame), ([0x01, 0xFF, 0xC0], .frame),
            ([0x00, 0xFF, 0xFF], .frame), ([0xFF], .utf8), ([0xFF, 0xFE, 0x7B, 0x00], .utf8),
            ([0xFE, 0xFF, 0x00, 0x7B], .utf8), ([0xEF, 0xBB, 0xBF], .empty), ([0x20, 0x0A], .empty),
            ([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .json), ([0xEF, 0xBB], .utf8),
            ([0x7B, 0x00, 0x7D, 0x00], .json),
            ([0x7B, 0x22, 0x61, 0x22, 0x3A, 0x31, 0x2C, 0x22, 0x61, 0x22, 0x3A, 0x31, 0xFF], .utf8),
        ] as [([UInt8], InvalidReason)]
    )
    func `bytes that are not text are distinguished`(_ bytes: [UInt8], _ expected: InvalidReason) {
        #expect(reason(of: decoder.decode(bytes: bytes)) == expected)
    }

    @Test func `a byte order mark is accepted with a warning`() {
        let outcome = decoder.decode(bytes: [0xEF, 0xBB, 0xBF] + Array(Self.alert.utf8))
        guard case .event(let event, let warnings) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(warnings == [.byteOrderMark])
        #expect(.event(event, warnings: []) == decode(Self.alert))
    }

    @Test func `positions in a text with a byte order mark include the mark`() {
        let rejection = rejection(of: decoder.decode(bytes: [0xEF, 0xBB, 0xBF] + Array("[1,]".utf8)))
        #expect(rejection?.detail == "/1: no JSON value begins like this at byte 6")
    }

    @Test func `UTF-16 is named in the detail`() {
        let rejection = rejection(of: decoder.decode(bytes: [0xFF, 0xFE, 0x7B, 0x00]))
        #expect(rejection?.detail == "the bytes are not UTF-8 at byte 0; this looks like UTF-16, send UTF-8")
    }

    @Test func `unlimited nesting is an error of the text`() {
        let text = #"{"x":"# + String(repeating: "[", count: 100_000)
        let rejection = rejection(of: decode(text))
        #expect(rejection?.reason == .depth)
        #expect(rejection?.detail.utf8.count ?? 0 < 1024)
    }

    @Test func `a duplicate member is an error of its own, wherever it is`() {
        let text = Self.alert.replacing(#""headline""#, with: #""x/y":{"z":1,"z":2},"headline""#)
        let rejection = rejection(of: decode(text))
        #expect(rejection?.reason == .duplicateMember)
        #expect(rejection?.detail == "/text/en/x~1y/z: duplicate member at byte 169")
    }

    @Test(arguments: [
        "application/cloudevents+jsonl", "Application/CloudEvents+avro", "application/cloudevents",
        "application/cloudevents-batch+json",
    ])
    func `a structured CloudEvent of another form is refused for its media type`(_ type: String) {
        for name in ["content-type", "Content-Type"] {
            let headers = [EventHeader(name: name, value: Array(type.utf8))]
            #expect(reason(of: decode(Self.alert, headers)) == .cloudEvent)
        }
    }

    @Test func `other media types are ignored`() {
        let headers = [
            EventHeader(name: "content-type", value: Array("application/json".utf8)),
            EventHeader(name: "content-type", value: nil),
            EventHeader(name: "content-type", value: [0xFF, 0xFE]),
            EventHeader(name: "content-types", value: Array("application/cloudevents".utf8)),
        ]
        #expect(decode(Self.alert, headers) == decode(Self.alert))
    }

    @Test func `a binary CloudEvent provides members that the body lacks`() {
        let outcome = decode(Self.withoutNames, Self.binaryHeaders())
        guard case .event(let event, let warnings) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(event.id == "ce-1")
        #expect(event.source == "urn:ce")
        #expect(warnings.isEmpty)
    }

    @Test(arguments: [("ce-1", "urn:cms", true), ("e-1", "urn:ce", true), ("e-1", "urn:cms", false)])
    func `the body wins over a different header, with a warning`(
        _ id: String,
        _ source: String,
        _ isMismatch: Bool
    ) {
        guard case .event(let plain, _) = decode(Self.alert) else {
            Issue.record("the plain event must be readable")
            return
        }
        let outcome = decode(Self.alert, Self.binaryHeaders(id: id, source: source))
        #expect(outcome == .event(plain, warnings: isMismatch ? [.envelopeMismatch] : []))
    }

    @Test(arguments: ["ce_id", "ce_source", "ce_specversion", "ce_type"])
    func `a record without all four attributes is not a CloudEvent`(_ missing: String) {
        let others = Self.binaryHeaders().filter { $0.name != missing }
        for value in [nil, [], [0xFF]] as [[UInt8]?] {
            let headers = others + [EventHeader(name: missing, value: value)]
            let detail = rejection(of: decode(Self.withoutNames, headers))?.detail
            #expect(detail == "/id: is missing; a CloudEvent has no \(missing), so no ce_ header was read")
        }
    }

    @Test func `an id of the envelope must conform to the schema too`() {
        let headers = Self.binaryHeaders(id: "with blank")
        let rejection = rejection(of: decode(Self.withoutNames, headers))
        #expect(rejection?.detail == "/id: must be printable ASCII without blanks, and not empty")
        #expect(rejection?.id == "with?blank")
    }

    @Test func `a rejection before the schema has the id and source of the envelope`() {
        let rejection = rejection(of: decode("{", Self.binaryHeaders()))
        #expect(rejection?.reason == .json)
        #expect(rejection?.id == "ce-1")
        #expect(rejection?.source == "urn:ce")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no damage to an event makes the decoder crash`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let samples = [Self.alert, Self.withoutNames, Self.alert.replacing("Words", with: "Síla \\ud83d\\ude00 塞雷")]
        var seen: Set<String> = []
        for round in 0..<3_000 {
            let bytes = Array(samples[round % samples.count].utf8).mutated(using: &generator)
            let headers = round % 5 == 0 ? Self.binaryHeaders() : []
            switch decoder.decode(bytes: bytes, headers: headers) {
            case .event(let event, _):
                seen.insert("event")
                let again = decoder.decode(bytes: EventEncoder.encode(event))
                #expect(again == .event(event, warnings: []), "seed \(seed), round \(round)")
            case .rejected(let rejection):
                seen.insert(rejection.reason.rawValue)
                #expect(rejection.isBoundedAndPrintable, "seed \(seed), round \(round)")
            case .tombstone:
                Issue.record("seed \(seed), round \(round): a value is not a tombstone")
            }
        }
        #expect(seen.isSuperset(of: ["event", "invalid.json", "invalid.schema", "invalid.utf8"]), "seed \(seed)")
    }

    private func decode(_ text: String, _ headers: [EventHeader] = []) -> DecodeOutcome {
        decoder.decode(bytes: Array(text.utf8), headers: headers)
    }

    private static func binaryHeaders(id: String = "ce-1", source: String = "urn:ce") -> [EventHeader] {
        [("ce_specversion", "1.0"), ("ce_type", "org.example.news"), ("ce_id", id), ("ce_source", source)]
            .map { EventHeader(name: $0.0, value: Array($0.1.utf8)) }
    }
}
