import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// Records that a command writes again: decoded in full or refused.
@Suite(.timeLimit(.minutes(1)))
struct ReplayEnvelopeTests {
    private static let event = """
        {"v":1,"id":"e-1","source":"urn:cms","story":"s-1","revision":3,"kind":"alert",\
        "published":"2026-03-02T09:00:00Z","categories":["world"],"text":{"en":{"headline":"Words"}}}
        """
    private static let at = Timestamp(seconds: 1_772_500_000)

    private let decoder = EventDecoder(defaultSource: "urn:desk")

    private static func mark(onlyTag: String? = nil, isAgain: Bool = false) -> ReplayMark {
        ReplayMark(id: "fix-1", partition: 3, offset: 48_120, onlyTag: onlyTag, isAgain: isAgain, at: at)
    }

    private static func sealed(
        _ mark: ReplayMark,
        _ headers: [EventHeader] = [],
        value: String = event,
        story: String = "s-1",
        isSecure: Bool = false
    ) -> [EventHeader] {
        ReplayEnvelope.headers(
            around: Array(value.utf8),
            headers,
            mark,
            story: story,
            isSecure: isSecure,
            reason: "the mapping was wrong"
        )
    }

    private func detail(_ headers: [EventHeader], bytes: [UInt8]? = nil) -> String? {
        let outcome = decoder.decode(bytes: bytes, headers: headers)
        // A missing value cannot be passed to the decoder of bytes, so the record itself is decoded.
        let read = bytes == nil ? decoder.decode(value: nil, headers: headers) : outcome
        guard let rejection = rejection(of: read), rejection.reason == .replay else { return nil }
        return rejection.detail
    }

    @Test(arguments: [Self.mark(), Self.mark(onlyTag: "test"), Self.mark(isAgain: true)])
    func `a sealed event is decoded with its mark`(_ mark: ReplayMark) throws {
        guard case .event(let plain, _) = decoder.decode(bytes: Array(Self.event.utf8)),
            case .event(let event, let warnings) = decoder.decode(value: nil, headers: Self.sealed(mark))
        else {
            Issue.record("it is not an event")
            return
        }
        #expect(event.replay == mark)
        #expect(warnings.isEmpty)
        var unmarked = event
        unmarked.replay = nil
        #expect(unmarked == plain)
    }

    @Test func `headers of the original are included, headers of earlier failures are not`() {
        let attributes = [
            "specversion": "1.0", "id": "e-9", "source": "urn:other", "type": "org.example.news.breaking.alert.v1",
        ]
        let headers =
            attributes.sorted { $0.key < $1.key }.map { EventHeader(name: "ce_" + $0.key, value: Array($0.value.utf8)) }
            + ["newsflash-dlq-redrives", "newsflash-replay-id", "newsflash-redrive-letter"].map {
                EventHeader(name: $0, value: Array("1".utf8))
            }
        let slim =
            #"{"v":1,"story":"s-1","revision":1,"published":"2026-03-02T09:00:00Z","categories":["world"],"text":{"en":{"headline":"Words"}}}"#
        let sealed = Self.sealed(Self.mark(), headers, value: slim)
        #expect(!sealed.contains { $0.name.hasPrefix("newsflash-dlq-") || $0.name.hasPrefix("newsflash-redrive-") })
        guard case .event(let event, _) = decoder.decode(value: nil, headers: sealed) else {
            Issue.record("it is not an event")
            return
        }
        #expect(event.id == "e-9")
        #expect(event.source == "urn:other")
    }

    @Test func `a record that an older worker wrote back with an empty value is decoded as well`() {
        let headers = Self.sealed(Self.mark(onlyTag: "test"))
        #expect(decoder.decode(bytes: [], headers: headers) == decoder.decode(value: nil, headers: headers))
    }

    @Test func `the record is a tombstone for a decoder that does not know the headers`() {
        #expect(decoder.decode(value: nil, headers: []) == .tombstone)
        let headers = Self.sealed(Self.mark(onlyTag: "test"))
        #expect(!headers.isEmpty)
        let others = [EventHeader(name: "traceparent", value: Array("00-1".utf8))]
        #expect(decoder.decode(value: nil, headers: others) == .tombstone)
    }

    @Test func `no text of a secure story is sent, although the event itself does not ask for it`() {
        let headers = Self.sealed(Self.mark(onlyTag: "test"), isSecure: true)
        guard case .event(let event, _) = decoder.decode(value: nil, headers: headers) else {
            Issue.record("it is not an event")
            return
        }
        #expect(event.delivery == .secure)
        #expect(event.replay == Self.mark(onlyTag: "test"))
    }

    @Test(arguments: ["id", "of", "at", "value"])
    func `a command without a header is refused`(_ name: String) {
        let headers = Self.sealed(Self.mark(onlyTag: "test")).filter { $0.name != "newsflash-replay-\(name)" }
        #expect(detail(headers) == "newsflash-replay-\(name): is missing")
    }

    @Test(
        arguments: [
            ("id", "two words", "1 to 64 of A-Z a-z 0-9 . _ -"), ("of", "3", "partition@offset"),
            ("of", "3@-1", "partition@offset"), ("of", "99999999999@1", "partition@offset"),
            ("at", "yesterday", "an instant in RFC 3339"),
            ("only-tag", "a && b", "1 to 120 of A-Z a-z 0-9 _ @ # . : -"), ("delivery", "open", "secure"),
        ]
    )
    func `a malformed header is refused`(_ name: String, _ value: String, _ form: String) {
        var headers = Self.sealed(Self.mark(onlyTag: "test")).filter { $0.name != "newsflash-replay-\(name)" }
        headers.append(EventHeader(name: "newsflash-replay-\(name)", value: Array(value.utf8)))
        #expect(detail(headers) == "newsflash-replay-\(name): must be \(form)")
    }

    @Test func `a header that is unknown, duplicate or contradicts another is refused`() {
        let whole = Self.sealed(Self.mark(onlyTag: "test"))
        func with(_ name: String, _ value: [UInt8]?) -> [EventHeader] {
            whole + [EventHeader(name: "newsflash-replay-\(name)", value: value)]
        }
        #expect(detail(with("only-tag", Array("other".utf8))) == "newsflash-replay-only-tag: occurs twice")
        #expect(detail(with("only-country", Array("in".utf8)))?.contains("only-country: is unknown") == true)
        #expect(detail(with("again", nil)) == "newsflash-replay-again: is empty")
        #expect(detail(with("again", Array("s-1".utf8)))?.contains("must not be used with") == true)
        #expect(detail(whole, bytes: Array(Self.event.utf8))?.contains("must not also have a value") == true)
        #expect(
            detail([EventHeader(name: "newsflash-replay-reason", value: [65])], bytes: Array(Self.event.utf8)) != nil
        )
    }

    @Test func `an event of another story than the named one is refused`() {
        let headers = Self.sealed(Self.mark(isAgain: true), story: "s-2")
        #expect(detail(headers) == "newsflash-replay-again: names another story than the event")
    }

    @Test func `an invalid event inside is refused for its own error and holds no story`() {
        let headers = Self.sealed(Self.mark(onlyTag: "test"), value: "{")
        #expect(reason(of: decoder.decode(value: nil, headers: headers)) == .json)
        let stray = #"{"uri":"urn:x","pubstatus":"strange","versioncreated":"2026-03-02T09:00:00Z"}"#
        let rejected = rejection(of: decoder.decode(value: nil, headers: Self.sealed(Self.mark(), value: stray)))
        #expect(rejected?.holdsStory == false)
    }
}
