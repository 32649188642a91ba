import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Records with the header `newsflash-event`.
@Suite(.timeLimit(.minutes(1)))
struct OwnEventTests {
    private static let kill = """
        {"v":1,"id":"withdraw-1","story":"s-1","revision":3,"kind":"kill","published":"2026-03-02T09:00:00Z"}
        """
    private static let formats: [SourceFormat] = [.event, .ninjs, .superdesk, .ap]

    private func decode(_ format: SourceFormat, _ headers: [EventHeader], _ text: String = kill) -> DecodeOutcome {
        EventDecoder(defaultSource: "urn:feed", format: format).decode(bytes: Array(text.utf8), headers: headers)
    }

    @Test(arguments: formats)
    func `a marked record is decoded as an event whatever the format of its source`(_ format: SourceFormat) {
        guard case .event(let event, let warnings) = decode(format, [OwnEvent.header]) else {
            Issue.record("it is refused")
            return
        }
        #expect(event.kind == .kill && event.story == "s-1" && event.id == "withdraw-1")
        #expect(event.source == "urn:feed")
        #expect(warnings == [])
    }

    @Test(arguments: formats.dropFirst())
    func `a record without the header is an item of the source`(_ format: SourceFormat) {
        let other = EventHeader(name: "newsflash-events", value: Array("1".utf8))
        #expect(reason(of: decode(format, [])) != nil)
        #expect(reason(of: decode(format, [other])) != nil)
    }

    @Test(arguments: [[UInt8]?.none, [], Array("2".utf8), Array("01".utf8)])
    func `another version is refused`(_ value: [UInt8]?) {
        let outcome = decode(.ninjs, [EventHeader(name: OwnEvent.headerName, value: value)])
        #expect(reason(of: outcome) == .schema)
        #expect(rejection(of: outcome)?.detail.contains("newsflash-event") == true)
    }

    @Test func `a value that is not an event is refused although it is marked`() {
        let item = #"{"uri":"urn:wire:1","version":"1","headline":"A dam","subject":["world"],"urgency":2}"#
        #expect(reason(of: decode(.ninjs, [OwnEvent.header], item)) == .schema)
        #expect(reason(of: decode(.ninjs, [OwnEvent.header], "{")) == .json)
    }

    @Test func `a marked record that was replayed is still an event`() {
        let mark = ReplayMark(
            id: "r",
            partition: 0,
            offset: 1,
            onlyTag: nil,
            isAgain: false,
            at: .init(seconds: 1_772_500_000)
        )
        let headers = ReplayEnvelope.headers(
            around: Array(Self.kill.utf8),
            [OwnEvent.header],
            mark,
            story: "s-1",
            reason: "why"
        )
        let outcome = EventDecoder(defaultSource: "urn:feed", format: .ninjs).decode(value: nil, headers: headers)
        guard case .event(let event, _) = outcome else {
            Issue.record("it is refused")
            return
        }
        #expect(event.kind == .kill && event.replay == mark)
    }
}
