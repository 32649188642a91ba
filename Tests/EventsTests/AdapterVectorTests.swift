import NewsflashStrictJSON
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashEvents

/// One story in every envelope and format, from `Tests/Data/adapters`.
@Suite(.timeLimit(.minutes(1)))
struct AdapterVectorTests {
    private static let source = "https://wire.example.net/feed"

    @Test(arguments: ["ninjs-1.6-update.json", "ninjs-2.2-update.json", "ninjs-3.1-update.json"], [true, false])
    func `an item of ninjs becomes the expected event`(_ file: String, _ isWrappedInFrame: Bool) throws {
        let frame: [UInt8] = isWrappedInFrame ? [0, 0, 0, 4, 18] : []
        let outcome = decode(.ninjs, frame + (try bytes(file)))
        #expect(outcome == .event(try expected("expected-update.json"), warnings: []))
    }

    @Test(arguments: ["ninjs-1.6-kill.json", "ninjs-2.2-kill.json", "ninjs-3.1-kill.json", "superdesk-ninjs-kill.json"])
    func `a canceled item becomes the expected kill`(_ file: String) throws {
        var event = try expected("expected-kill.json")
        event.id += "!canceled"
        if file.hasPrefix("superdesk") { byTime(&event) }
        #expect(decoder(.ninjs).decode(bytes: try bytes(file)) == .event(event, warnings: []))
    }

    @Test(arguments: [SourceFormat.superdesk, .ninjs]) func `Superdesk's item is identified by its guid`(
        _ format: SourceFormat
    ) throws {
        var event = try expected("expected-update.json")
        byTime(&event)
        event.categories.append("service:i")
        event.expires = nil
        event.image = nil
        #expect(decode(format, try bytes("superdesk-ninjs-update.json")) == .event(event, warnings: []))
    }

    @Test(arguments: [SourceFormat.ap, .ninjs]) func `AP's item is read inside its envelope`(_ format: SourceFormat)
        throws
    {
        var event = try expected("expected-update.json")
        event.id = "0f3c5e1d#2"
        event.story = "0f3c5e1d"
        event.categories = ["category:i", "http://cv.ap.org/id/aaaa"]
        event.text[0].summary = nil
        event.expires = nil
        event.image = nil
        event.url = "https://news.example.net/dam-7"
        event.note = "Eds: UPDATES: evacuation ordered"
        #expect(decode(format, try bytes("ap-media-update.json")) == .event(event, warnings: []))
    }

    @Test(arguments: [
        "cloudevents-structured.json", "cloudevents-structured-base64.json", "cloudevents-binary.json",
        "cloudevents-binary-slim.json", "confluent-header-guid.json",
    ])
    func `an envelope does not change the event`(_ file: String) throws {
        let (value, headers) = try record(file)
        let outcome = decoder(.event).decode(bytes: value, headers: headers)
        #expect(outcome == .event(try expected("expected-update.json"), warnings: []))
    }

    @Test func `a framed event is decoded like a bare one`() throws {
        let outcome = decoder(.event).decode(bytes: try bytes("confluent-json-id1042.bin"))
        #expect(outcome == .event(try expected("expected-update.json"), warnings: []))
    }

    @Test func `an item of ninjs in a CloudEvent has the envelope's id`() throws {
        let (value, headers) = try record("cloudevents-binary-ninjs.json")
        var event = try expected("expected-update.json")
        event.id = "e-77"
        #expect(decode(.ninjs, value, headers) == .event(event, warnings: []))
    }

    /// Items of Superdesk are numbered by the time of their creation.
    private func byTime(_ event: inout NewsEvent) {
        // A whole second, to which the version is added.
        let revision = event.published.milliseconds + event.revision
        event.id = event.id.replacing("#\(event.revision)", with: "#\(revision)")
        event.revision = revision
    }

    private func decoder(_ format: SourceFormat) -> EventDecoder {
        EventDecoder(defaultSource: Self.source, format: format)
    }

    /// Decodes an item. The core decides whether it is the first news of its story.
    private func decode(_ format: SourceFormat, _ bytes: [UInt8], _ headers: [EventHeader] = []) -> DecodeOutcome {
        let outcome = decoder(format).decode(bytes: bytes, headers: headers)
        guard case .event(var event, let warnings) = outcome, event.kind == .update else { return outcome }
        event.kindIfFirst = nil
        return .event(event, warnings: warnings)
    }

    private func bytes(_ file: String) throws -> [UInt8] { try TestData.bytes(of: "adapters/\(file)") }

    private func expected(_ file: String) throws -> NewsEvent {
        let outcome = EventDecoder(defaultSource: "urn:none").decode(bytes: try bytes(file))
        guard case .event(let event, warnings: []) = outcome else { throw SampleError(description: "\(outcome)") }
        return event
    }

    /// Reads a record in the form of the samples: `{"kafka": {"headers": …}, "value": …}`.
    private func record(_ file: String) throws -> ([UInt8], [EventHeader]) {
        let vector = try JSONReader.read(bytes(file))
        let headers = vector[member: "kafka"]?[member: "headers"]?.object ?? []
        var writer = JSONWriter()
        writer.value(try #require(vector[member: "value"]))
        return (
            writer.bytes,
            try headers.map { header in
                let text = try #require(header.value.string)
                let bytes = text.hasPrefix("hex:") ? Array(hexadecimal: text.dropFirst(4)) : Array(text.utf8)
                return EventHeader(name: header.name, value: bytes)
            }
        )
    }
}

private struct SampleError: Error {
    let description: String
}

extension [UInt8] {
    fileprivate init(hexadecimal text: Substring) {
        self = stride(from: 0, to: text.utf8.count - 1, by: 2).compactMap {
            UInt8(text.dropFirst($0).prefix(2), radix: 16)
        }
    }
}
