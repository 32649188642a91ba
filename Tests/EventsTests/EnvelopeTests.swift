import NewsflashStrictJSON
import Testing

@testable import NewsflashEvents

@Suite(.timeLimit(.minutes(1)))
struct EnvelopeTests {
    private static let event = """
        {"v":1,"id":"e-1","source":"urn:cms","story":"s-1","revision":3,"kind":"alert",\
        "published":"2026-03-02T09:00:00Z","categories":["world"],"text":{"en":{"headline":"Words"}}}
        """
    private static let slim = #"{"v":1,"categories":["world"],"text":{"en":{"headline":"Words"}}}"#
    private static let attributes = """
        "specversion":"1.0","id":"e-1","source":"urn:cms","type":"org.example.news.breaking.alert.v1","subject":"s-1",\
        "time":"2026-03-02T09:00:00Z","sequence":"0000000000000003"
        """

    private let decoder = EventDecoder(defaultSource: "urn:desk")
    private var plain: DecodeOutcome { decoder.decode(bytes: Array(Self.event.utf8)) }

    // MARK: Frames

    @Test func `an envelope without its header is opened with a warning`() throws {
        let event = """
            {"v":1,"id":"e-1","story":"s-1","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z",\
            "categories":["world"],"text":{"en":{"headline":"Words"}}}
            """
        let envelope = #"{"specversion":"1.0","id":"e-1","source":"urn:cms","type":"a.alert.v1","data":\#(event)}"#
        let decoder = EventDecoder(defaultSource: "urn:desk")
        guard case .event(let read, let warnings) = decoder.decode(bytes: Array(envelope.utf8)) else {
            Issue.record("it is not an event")
            return
        }
        #expect(read.story == "s-1")
        #expect(read.source == "urn:cms")
        #expect(warnings == [.envelopeUnmarked])
        let both = envelope.dropLast() + #","data_base64":"e30="}"#
        guard case .rejected(let rejection) = decoder.decode(bytes: Array(both.utf8)) else {
            Issue.record("it is an event")
            return
        }
        #expect(rejection.reason == .cloudEvent)
    }

    @Test func `a frame is skipped`() {
        let value = Array(Self.event.utf8)
        #expect(decoder.decode(bytes: [0, 0, 0, 4, 18] + value) == plain)
        #expect(decoder.decode(bytes: [1] + [UInt8](repeating: 7, count: 16) + value) == plain)
        // Apicurio's number of eight bytes, and AWS Glue's UUID.
        #expect(decoder.decode(bytes: [0, 0, 0, 0, 0, 0, 0, 4, 18] + value) == plain)
        #expect(decoder.decode(bytes: [3, 0] + [UInt8](repeating: 7, count: 16) + value) == plain)
    }

    @Test(
        arguments: [
            [0], [0, 0, 0, 1], [0, 0, 0, 0, 1], [1], [1] + [UInt8](repeating: 0, count: 16),
            [0, 0, 0, 0, 1, 0, 0x0A, 5],
            [0, 0, 0, 0, 1, 0x02, 0x61], [0, 0, 0, 0, 1, 0x20, 0x20], [0, 0, 0, 0, 1, 0x5B, 0x5D],
            [0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0x5B], [3, 0], [3, 5, 1],
            [3, 0] + [UInt8](repeating: 7, count: 16), [3, 0] + [UInt8](repeating: 7, count: 17),
            [3, 5] + [UInt8](repeating: 7, count: 16) + [0x78, 0x9C],
        ] as [[UInt8]]
    )
    func `a truncated frame and a frame without a JSON object are refused`(_ bytes: [UInt8]) {
        #expect(reason(of: decoder.decode(bytes: bytes)) == .frame)
    }

    @Test func `a schema named by a header leaves the value unchanged`() {
        let headers = [EventHeader(name: "__value_schema_id", value: [1] + [UInt8](repeating: 9, count: 16))]
        #expect(decoder.decode(bytes: Array(Self.event.utf8), headers: headers) == plain)
        #expect(reason(of: decoder.decode(bytes: [6, 2, 97], headers: headers)) == .frame)
        let cut = [EventHeader(name: "__value_schema_id", value: [1, 9])]
        #expect(decoder.decode(bytes: Array(Self.event.utf8), headers: cut) == plain)
    }

    @Test func `a byte order mark after a frame is accepted`() {
        let outcome = decoder.decode(bytes: [0, 0, 0, 4, 18, 0xEF, 0xBB, 0xBF] + Array(Self.event.utf8))
        guard case .event(_, let warnings) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(warnings == [.byteOrderMark])
    }

    @Test func `positions in a framed text include the frame`() {
        let rejection = rejection(of: decoder.decode(bytes: [0, 0, 0, 4, 18] + Array("{,}".utf8)))
        #expect(rejection?.reason == .json)
        #expect(rejection?.detail.hasSuffix("at byte 6") == true)
    }

    // MARK: CloudEvents

    @Test(arguments: [
        "application/cloudevents+json", "Application/CloudEvents+JSON;charset=utf-8", "application/cloudevents+json ",
    ])
    func `a structured event is extracted from its envelope`(_ type: String) {
        let data = #"{\#(Self.attributes),"data":\#(Self.event),"data_base64":null}"#
        #expect(decode(data, type) == plain)
        let encoded = #"{\#(Self.attributes),"data_base64":"\#(base64(Self.event))"}"#
        #expect(decode(encoded, type) == plain)
    }

    @Test func `members that the event lacks come from its envelope`() {
        #expect(decode(#"{\#(Self.attributes),"data":\#(Self.slim)}"#) == plain)
        let headers = Self.attributes.split(separator: ",").map { pair in
            let parts = pair.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != "\"" } }
            return EventHeader(name: "ce_" + parts[0], value: Array(parts[1].utf8))
        }
        #expect(decoder.decode(bytes: Array(Self.slim.utf8), headers: headers) == plain)
        for extended in ["correlationid", "partitionkey"] {
            let others = headers.map {
                EventHeader(name: $0.name.replacing("subject", with: extended), value: $0.value)
            }
            #expect(decoder.decode(bytes: Array(Self.slim.utf8), headers: others) == plain)
        }
    }

    @Test func `a structured event with another id than its envelope keeps its own, with a warning`() {
        let text = #"{\#(Self.attributes),"data":\#(Self.event)}"#.replacing(
            #""id":"e-1","source":"urn:cms","type""#,
            with: #""id":"x","source":"urn:cms","type""#
        )
        guard case .event(let event, let warnings) = decode(text) else { return #expect(Bool(false)) }
        #expect(event.id == "e-1")
        #expect(warnings == [.envelopeMismatch])
    }

    @Test(arguments: [
        (#"{"data":{}}"#, "a CloudEvent has no id, source, type, specversion"),
        (#"{"specversion":"1.0","id":"","source":"a","type":"b","data":{}}"#, "a CloudEvent has no id"),
        (
            #"{"specversion":"0.3","id":"e","source":"a","type":"b","data":{}}"#,
            "specversion: only CloudEvents 1.0 is supported, not 0.3"
        ),
        (#"{"specversion":"1.0","id":"e","source":"a","type":"b"}"#, "there is no data"),
        (#"{"specversion":"1.0","id":"e","source":"a","type":"b","data":null}"#, "there is no data"),
        (
            #"{"specversion":"1.0","id":"e","source":"a","type":"b","dataref":"https://a"}"#,
            "there is no data; dataref is not supported"
        ),
        (
            #"{"specversion":"1.0","id":"e","source":"a","type":"b","data":{},"data_base64":"e30="}"#,
            "data and data_base64 exclude each other"
        ),
        (
            #"{"specversion":"1.0","id":"e","source":"a","type":"b","data_base64":"e30"}"#,
            "/data_base64: must be a base64 string"
        ),
        (
            #"{"specversion":"1.0","id":"e","source":"a","type":"b","data_base64":7}"#,
            "/data_base64: must be a base64 string"
        ),
        (
            #"{"specversion":"1.0","id":"e","source":"a","type":"b","datacontenttype":"text/xml","data":"<a/>"}"#,
            "/datacontenttype: must be JSON"
        ),
        ("[]", "a CloudEvent has no id, source, type, specversion"),
    ])
    func `a broken envelope is refused`(_ text: String, _ detail: String) {
        let rejection = rejection(of: decode(text))
        #expect(rejection?.reason == .cloudEvent)
        #expect(rejection?.detail == detail)
    }

    @Test(arguments: [
        ("application/cloudevents-batch+json", "send each as a separate record"),
        ("application/cloudevents+avro", "the only structured form supported is application/cloudevents+json"),
        ("application/cloudevents+protobuf", "or binary mode with JSON"),
    ])
    func `an envelope in another form is named`(type: String, words: String) {
        let rejection = rejection(of: decode("[]", type))
        #expect(rejection?.reason == .cloudEvent)
        #expect(rejection?.detail.contains(words) == true, "\(rejection?.detail ?? "")")
    }

    @Test(arguments: [
        ("ce_specversion 0.3,ce_id,ce_source,ce_type", "ce_specversion: only CloudEvents 1.0 is supported, not 0.3"),
        ("ce_specversion 1.0,ce_id,ce_source", "a CloudEvent has no ce_type, so no ce_ header was read"),
        ("ce_id", "a CloudEvent has no ce_source, ce_type, ce_specversion"),
        ("ce-specversion 1.0,ce-id,ce-source,ce-type", "ce-specversion is ignored: in Kafka the attributes"),
        ("CE_SPECVERSION 1.0,CE_ID,CE_SOURCE,CE_TYPE", "CE_SPECVERSION is ignored"),
    ])
    func `an error names the reason why attributes in headers were not used`(names: String, words: String) {
        let headers = names.split(separator: ",").map { text in
            let parts = text.split(separator: " ").map(String.init)
            return EventHeader(name: parts[0], value: Array((parts.count > 1 ? parts[1] : "x").utf8))
        }
        let rejection = rejection(of: decoder.decode(bytes: Array(Self.slim.utf8), headers: headers))
        #expect(rejection?.reason == .schema)
        #expect(rejection?.detail.hasPrefix("/id: is missing") == true, "\(rejection?.detail ?? "")")
        #expect(rejection?.detail.contains("; \(words)") == true, "\(rejection?.detail ?? "")")
        // A complete event does not need them.
        #expect(decoder.decode(bytes: Array(Self.event.utf8), headers: headers) == plain)
    }

    @Test func `a batch without its header is named`() {
        let batch = "[{\(Self.attributes),\"data\":\(Self.event)}]"
        let rejection = rejection(of: decoder.decode(bytes: Array(batch.utf8)))
        #expect(rejection?.reason == .notObject)
        #expect(rejection?.detail.hasSuffix("send each CloudEvent of a batch as a separate record") == true)
    }

    // MARK: Other formats

    @Test(
        arguments: [
            (Array("<?xml version=\"1.0\"?><nitf/>".utf8), "this is XML"), (Array("<newsItem/>".utf8), "this is XML"),
            (Array("FTMSG/1.0\r\nMessage-Id: 1\r\n\r\n{}".utf8), "this is FTMSG"),
            ([0x1F, 0x8B, 8, 0], "set compression.type"), ([0x78, 0x9C, 1], "set compression.type"),
            ([0x28, 0xB5, 0x2F, 0xFD, 1], "set compression.type"), ([0x4F, 0x62, 0x6A, 1, 2], "this is Avro"),
            ([0xC3, 1, 0x20], "this is Avro"), ([0x0A, 5, 0x68], "this may be Protobuf"),
            ([8, 1], "this may be Protobuf"),
            ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x7B], "UTF-16"), ([0x7B, 0, 0x22, 0], "UTF-16"),
            ([0, 0, 0, 0, 1, 0, 5, 0x68], "Avro and Protobuf are not supported"),
            ([3, 5] + [UInt8](repeating: 7, count: 18), "AWS Glue"),
        ] as [([UInt8], String)]
    )
    func `a value in another format is named`(value: [UInt8], words: String) {
        let detail = rejection(of: decoder.decode(bytes: value))?.detail
        #expect(detail?.contains(words) == true, "\(detail ?? "")")
    }

    @Test(arguments: ["\n{,}", "{,}", "x", "\n\n[", "FTMS", "\n\"a", "O"])
    func `an error in a text that may be JSON has no such hint`(_ text: String) {
        let detail = rejection(of: decoder.decode(bytes: Array(text.utf8)))?.detail
        #expect(detail?.contains(";") == false, "\(detail ?? "")")
    }

    @Test(arguments: [("e3", .json), ("W10=", .notObject), ("/w==", .utf8), ("", .empty)] as [(String, InvalidReason)])
    func `the content of an envelope is refused like any other text`(_ encoded: String, _ expected: InvalidReason) {
        let text = #"{\#(Self.attributes),"data_base64":"\#(encoded == "e3" ? "eyw=" : encoded)"}"#
        let rejection = rejection(of: decode(text))
        #expect(rejection?.reason == expected)
    }

    private func decode(_ text: String, _ type: String = "application/cloudevents+json") -> DecodeOutcome {
        decoder.decode(
            bytes: Array(text.utf8),
            headers: [EventHeader(name: "Content-Type", value: Array(type.utf8))]
        )
    }

    private func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 3).map { start in
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | (start + $1 < bytes.count ? Int(bytes[start + $1]) : 0) }
            let letters = (0..<4).map { alphabet[bits >> (18 - 6 * $0) & 63] }
            return String(letters.prefix(group.count + 1)) + String(repeating: "=", count: 3 - group.count)
        }.joined()
    }
}
