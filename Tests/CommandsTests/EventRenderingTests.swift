import HTTPTransport
import NotificationHubs
import Publishing
import StrictJSON
import Testing
import Worker

@testable import Commands
@testable import Operations

@Suite(.timeLimit(.minutes(1)))
struct EventRenderingTests {
    private func renderings(_ texts: String...) throws -> [EventRendering] {
        let configuration = try SampleNewsroom.configuration().configuration
        var forecaster = EventForecaster(configuration, now: SampleNewsroom.now)
        let clients = try RenderedRequest.clients(for: configuration.hubs).clients
        return try texts.map { text in
            try EventRendering(
                place: "event.json",
                of: forecaster.forecast(RehearsalRecord(value: Array(text.utf8))),
                by: clients
            )
        }
    }

    @Test func `an event is shown as its whole request, with the fallback texts of its own`() throws {
        let rendering = try #require(try renderings(SampleNewsroom.flash).first)
        #expect(
            rendering.text == """
                event.json: e-1: flash, revision 1 of urn:desk:1, 1 request
                texts: en, fr from en
                warnings: category.unknown

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
        let rendering = try #require(try renderings(SampleNewsroom.flash).first)
        let request = try #require(rendering.requests.first)
        let line = try #require(rendering.json.first)
        let document = try JSONReader.read(line)
        #expect(document[member: "body"]?.string.map { Array($0.utf8) } == request.request.body)
        #expect(document[member: "headers"]?[member: "Authorization"]?.string == "<redacted>")
        #expect(document[member: "tags"] == .array([.string("World")]))
        #expect(
            document[member: "textFrom"]
                == .object([
                    JSONMember(name: "en", value: .string("en")), JSONMember(name: "fr", value: .string("en")),
                ])
        )
        #expect(!String(decoding: line, as: UTF8.self).contains("SharedAccessSignature"))
    }

    @Test func `a correction goes to the audiences of the flash before it`() throws {
        let all = try renderings(SampleNewsroom.flash, SampleNewsroom.correction)
        #expect(all.last?.requests.map(\.send.expression.description) == ["World"])
        #expect(all.last?.requests.map(\.send.template) == ["correction"])
    }

    @Test func `a correction of a story without notifications is shown as an alert`() throws {
        let remark =
            "nobody was notified of its story before, so this correction goes to its own categories like an alert, in the "
            + "words of an alert"
        let alone = try #require(try renderings(SampleNewsroom.correction).first)
        #expect(alone.text.contains("\nnote: \(remark)\n"))
        let document = try JSONReader.read(try #require(alone.json.first))
        #expect(document[member: "remark"]?.string == remark)
        let told = try renderings(SampleNewsroom.flash, SampleNewsroom.correction)
        #expect(told.allSatisfy { $0.forecast.remark == nil })
    }

    @Test func `a kill of a story without notifications shows its audiences`() throws {
        let kill = SampleNewsroom.kill.replacing(
            #""kind":"kill""#,
            with: #""kind":"kill","categories":["world"],"text":{"en":{"headline":"Bridge closed"}}"#
        )
        let alone = try #require(try renderings(kill).first)
        #expect(
            alone.forecast.remark
                == "nobody was notified of its story before, so this kill goes to its own categories like an alert"
        )
        #expect(try renderings(SampleNewsroom.flash, kill).last?.forecast.remark == nil)
    }

    @Test func `a kill without a text has the withdrawal text of its story`() throws {
        let all = try renderings(SampleNewsroom.flash, SampleNewsroom.kill)
        #expect(all.last?.forecast.texts.map(\.textFrom) == ["en", "en"])
        #expect(all.last?.text.contains(#""headline": "Withdrawn: Bridge closed""#) == true)
    }

    @Test(arguments: [
        (SampleNewsroom.kill, "event.json: e-3: not sent: suppressed.never_sent"),
        (
            SampleNewsroom.withoutText,
            "event.json: e-4: not sent: invalid.schema: /text: must be an object, is a string"
        ),
        ("", "event.json: not sent: invalid.empty: the value has no bytes"),
    ])
    func `an event that would not be sent is shown with the reason`(text: String, line: String) throws {
        let rendering = try #require(try renderings(text).first)
        #expect(rendering.requests.isEmpty)
        #expect(rendering.text.hasPrefix(line))
        #expect(rendering.json.count == 1)
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
