import NewsflashHTTPTransport
import NewsflashPublishing
import NewsflashStrictJSON
import NewsflashTimestamps
import NewsflashWorker
import NotificationHubs
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash explain --requests`
@Suite(.timeLimit(.minutes(1)))
struct ExplainedRequestTests {
    private func explanations(_ texts: String..., now: Timestamp = SampleNewsroom.now) throws -> [EventExplanation] {
        try SampleNewsroom.explanations(texts, now: now)
    }

    @Test func `an event is shown with its whole request`() throws {
        let explanation = try #require(try explanations(SampleNewsroom.flash).first)
        let whole = explanation.text(showsRequests: true)
        #expect(whole.hasPrefix(explanation.text() + "\n\n"))
        #expect(!explanation.text().contains("POST"))
        #expect(
            whole.dropFirst(explanation.text().count) == """


                request 1 of 1: main, World
                POST https://your-namespace.servicebus.windows.net/newsroom/messages?api-version=2020-06
                Authorization: <redacted>
                Content-Type: application/json;charset=utf-8
                ServiceBusNotification-Format: template
                ServiceBusNotification-Tags: World
                TrackingId: <new for each attempt>
                User-Agent: newsflash
                apns-expiration: 1772442000
                apns-collapse-id: b350bd9f47639408
                X-WNS-TTL: 3600
                X-WNS-Tag: b350bd9f47639408
                X-WNS-Group: newsflash

                {
                  "id": "e-1",
                  "story": "urn:desk:1",
                  "revision": "1",
                  "kind": "flash",
                  "category": "World",
                  "url": "https://news.example.org/1",
                  "image": "",
                  "collapse_id": "b350bd9f47639408",
                  "expires": "1772442000",
                  "ttl": "3600",
                  "interruption": "time-sensitive",
                  "sound": "default",
                  "headline": "Breaking: Bridge closed",
                  "summary": "Breaking: Bridge closed",
                  "headline_en": "Breaking: Bridge closed",
                  "summary_en": "Breaking: Bridge closed",
                  "headline_fr": "Breaking: Bridge closed",
                  "summary_fr": "Breaking: Bridge closed"
                }
                """
        )
    }

    @Test func `the JSON form has the exact bytes of the body and no signature`() throws {
        let explanation = try #require(try explanations(SampleNewsroom.flash).first)
        let request = try #require(explanation.requests.first)
        let document = try #require(try JSONReader.read(explanation.json)[member: "requests"]?.array?.first)
        #expect(document[member: "body"]?.string.map { Array($0.utf8) } == request.request.body)
        #expect(document[member: "headers"]?[member: "Authorization"]?.string == "<redacted>")
        #expect(document[member: "tags"] == .array([.string("World")]))
        #expect(!String(decoding: explanation.json, as: UTF8.self).contains("SharedAccessSignature"))
    }

    @Test func `a correction goes to the audiences of the flash before it`() throws {
        let all = try explanations(SampleNewsroom.flash, SampleNewsroom.correction)
        #expect(all.last?.requests.map(\.send.expression.description) == ["World"])
        #expect(all.last?.requests.map(\.send.template) == ["correction"])
    }

    @Test func `a correction of a story without notifications is shown as an alert`() throws {
        let remark =
            "nobody was notified of its story before, so this correction goes to its own categories like an alert, in the "
            + "words of an alert"
        let alone = try #require(try explanations(SampleNewsroom.correction).first)
        #expect(alone.text().contains("\n  note: \(remark)\n"))
        #expect(try JSONReader.read(alone.json)[member: "remark"]?.string == remark)
        let told = try explanations(SampleNewsroom.flash, SampleNewsroom.correction)
        #expect(told.allSatisfy { !$0.text().contains("note: ") })
    }

    @Test func `a kill of a story without notifications shows its audiences`() throws {
        let kill = SampleNewsroom.kill.replacing(
            #""kind":"kill""#,
            with: #""kind":"kill","categories":["world"],"text":{"en":{"headline":"Bridge closed"}}"#
        )
        let alone = try #require(try explanations(kill).first)
        let remark = "nobody was notified of its story before, so this kill goes to its own categories like an alert"
        #expect(alone.text().contains("\n  note: \(remark)\n"))
        #expect(try explanations(SampleNewsroom.flash, kill).last?.text().contains("note: ") == false)
    }

    @Test func `a kill without a text has the withdrawal text of its story`() throws {
        let all = try explanations(SampleNewsroom.flash, SampleNewsroom.kill)
        #expect(all.last?.text(showsRequests: true).contains(#""headline": "Withdrawn: Bridge closed""#) == true)
    }

    @Test(arguments: [
        (SampleNewsroom.flash, "e.json: e-1: would be sent, with 1 request"),
        (SampleNewsroom.kill, "e.json: e-3: would not be sent: suppressed.never_sent"),
        (
            SampleNewsroom.kill.replacing(#""kill""#, with: #""hold""#),
            "e.json: e-3: would not be sent: suppressed.hold: stops waiting events of the story, and notifies nobody"
        ),
        (
            SampleNewsroom.withoutText,
            "e.json: e-4: would not be sent: invalid.schema: /text: must be an object, is a string"
        ),
        ("no JSON", "e.json: would not be sent: invalid.json: "),
        (#"{"key":"k","value":null}"#, "e.json: has no value, so a worker skips it"),
        (
            String(embargoed),
            "e.json: e-1: would wait (held.embargo), and be sent at 2026-03-02T09:00:00.000Z, with 1 request"
        ),
    ])
    func `the first line says what would happen`(text: String, line: String) throws {
        let explanation = try #require(try explanations(text).first)
        let first = explanation.text().split(separator: "\n").first
        #expect(first?.hasPrefix(line) == true, "\(first ?? "")")
        #expect(explanation.requests.isEmpty == !line.contains("request"))
    }

    private static let embargoed = SampleNewsroom.flash.dropLast() + #","embargo":"2026-03-02T09:00:00Z"}"#

    @Test func `an event that waits and is stopped is explained by both`() throws {
        let hold = SampleNewsroom.kill.replacing(#""kill""#, with: #""hold""#)
        let first = try explanations(String(Self.embargoed), hold).first?.text().split(separator: "\n").first
        #expect(first == "e.json: e-1: would wait (held.embargo), and then would not be sent: suppressed.hold")
    }

    @Test func `the outcome at this moment is shown if it is another`() throws {
        let text = try explanations(SampleNewsroom.flash).first?.text()
        #expect(text?.contains("if it arrived now") == false)
        let later = try #require(try explanations(SampleNewsroom.flash, now: SampleNewsroom.now + .seconds(7200)).first)
        #expect(later.text().contains("\n  if it arrived now: expired.ttl\n"))
        #expect(try JSONReader.read(later.json)[member: "presently"]?.string == "expired.ttl")
    }

    @Test func `only dead letters and notifications that would not arrive are problems`() throws {
        #expect(try explanations(SampleNewsroom.flash, SampleNewsroom.kill).problems == nil)
        #expect(
            try explanations(SampleNewsroom.flash, SampleNewsroom.withoutText).problems
                == "1 of 2 events would be a dead letter; see the reasons above"
        )
        let template = TemplateFile(name: "t.json", bytes: Array(#"{"notification":{}}"#.utf8), platform: .fcmv1)
        #expect(
            try SampleNewsroom.explanations([SampleNewsroom.flash], templates: [template]).problems
                == "1 notification would not arrive; see the reasons above"
        )
    }

    @Test func `JSON is indented by two spaces for each level`() throws {
        let value = try JSONReader.read(#"{"a":[1.50,{"b":null}],"c":{},"d":[]}"#)
        #expect(
            value.laidOut == """
                {
                  "a": [
                    1.50,
                    {
                      "b": null
                    }
                  ],
                  "c": {},
                  "d": []
                }
                """
        )
    }
}
