import NewsflashHTTP1
import NewsflashHTTPTransport
import NewsflashStrictJSON
import NewsflashStrictXML
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import NewsflashYAML
import NotificationHubs
import Testing

@testable import NewsflashEvents
@testable import NewsflashPublishing

extension FuzzTarget {
    /// All our decoders of foreign input.
    static let all =
        [
            events, eventScan, expressLook, frames, feeds, fields, json, xml, yaml, configuration, templates,
            tagExpressions,
            connectionStrings,
            ledgerRecords,
            replies, answers, urls,
            dates, timeZones,
        ] + gateway + orders

    private static let decoder = EventDecoder(defaultSource: "https://cms.example.org/desk")

    /// The fast event scan: the full decoder gives the same result for every event that it accepts.
    private static let eventScan = FuzzTarget("event scan", eventTexts + samples("malformed")) { bytes in
        guard let event = FastEventDecoder.event(bytes.span, defaultSource: decoder.defaultSource) else { return false }
        let document = try? JSONReader.read(bytes)
        #expect(document.map { decoder.decode(document: $0) } == .event(event, warnings: []))
        return true
    }

    private static let events = FuzzTarget("events", eventTexts + samples("malformed")) { bytes in
        if case .event = decoder.decode(bytes: bytes) { true } else { false }
    }

    /// The express look of the priority scan: it must not miss an express event, except one with escapes.
    private static let expressLook = FuzzTarget("express look", eventTexts + samples("malformed")) { bytes in
        let mayBe = ExpressPrefilter.mayBeExpress(bytes.span)
        if !bytes.contains(UInt8(ascii: "\\")), case .event(let event, warnings: _) = decoder.decode(bytes: bytes) {
            #expect(mayBe || ![.flash, .kill, .hold].contains(event.kind))
        }
        return mayBe
    }

    /// Confluent's frame, and CloudEvents of both kinds.
    private static let frames = FuzzTarget(
        "frames",
        eventTexts.flatMap { [[0, 0, 0, 4, 18] + $0, [1] + Array(repeating: 7, count: 16) + $0] }
            + samples("adapters")
    ) { bytes in
        let headers = [
            EventHeader(name: "ce_specversion", value: Array("1.0".utf8)),
            EventHeader(name: "ce_id", value: Array(bytes.prefix(8))),
            EventHeader(name: "content-type", value: Array(bytes.suffix(24))),
        ]
        let isEvent = if case .event = decoder.decode(bytes: bytes) { true } else { false }
        let isFramed = if case .event = decoder.decode(bytes: bytes, headers: headers) { true } else { false }
        return isEvent || isFramed
    }

    /// Items of agencies; an accepted item conforms to the schema of events, and is decoded back unchanged.
    private static let feeds = FuzzTarget("feeds", itemTexts + samples("adapters") + samples("malformed")) {
        bytes in
        var rules = SourceRules()
        rules.isHTML = true
        rules.push.urgency = 1...5
        rules.link = .pattern("https://news.example.org/{story}/{id}")
        var isEvent = false
        for format in [SourceFormat.ninjs, .superdesk, .ap] {
            let feed = EventDecoder(defaultSource: decoder.defaultSource, format: format, rules: rules)
            if isSound(feed.decode(bytes: bytes)) { isEvent = true }
        }
        return isEvent
    }

    /// Documents of any form, with a mapping of their own.
    private static let fields = FuzzTarget("fields", itemTexts + eventTexts) { bytes in
        let pointers = ["/uri", "/story", "/version", "/urgency", "/subject/*/code", "/headline"]
        let rules = pointers.map { [FieldRule(FieldPointer($0), map: ["a": "b"], prefix: "p")] }
        let time = [
            FieldRule(FieldPointer("/versioncreated"), time: bytes.count.isMultiple(of: 2) ? .rfc3339 : .epochSeconds)
        ]
        let mapping = FieldMapping(
            members: [
                .id: rules[0], .story: rules[1] + rules[0], .revision: [FieldRule(FieldPointer("/version"))] + time,
                .urgency: [FieldRule(FieldPointer("/urgency"))], .categories: rules[4], .published: time,
            ],
            texts: .one(FieldMapping.Text(headline: rules[5]))
        )
        _ = FieldPointer(String(decoding: bytes.prefix(32), as: UTF8.self))
        let feed = EventDecoder(defaultSource: decoder.defaultSource, format: .fields(mapping))
        return isSound(feed.decode(bytes: bytes))
    }

    /// Returns whether an adapter's event is a valid event.
    private static func isSound(_ outcome: DecodeOutcome) -> Bool {
        guard case .event(var event, let warnings) = outcome else { return false }
        // Only items of feeds have these, and more categories than events.
        event.kindIfFirst = nil
        event.readers = .all
        let isWithinEvents = event.categories.count <= 16 && !event.categories.contains { $0.contains("|") }
        if event.withheld == nil, isWithinEvents {
            let back = decoder.decode(bytes: EventEncoder.encode(event))
            // Texts may look like HTML.
            #expect(back == .event(event, warnings: []) || back == .event(event, warnings: [.entities]))
        }
        return warnings.allSatisfy { $0 == .entities }
    }

    private static let json = FuzzTarget("json", eventTexts + [Array(#"[1e-9,"\ud83d\ude00",{"a":null}]"#.utf8)]) {
        bytes in
        (try? JSONReader.read(bytes)) != nil
    }

    private static let xml = FuzzTarget(
        "xml",
        [
            #"<?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom"><title>a&amp;b</title><c a="1"/></entry>"#,
            "<Error><Code>401</Code><Detail>InvalidSignature..TrackingId:7f195ef5_G19,TimeStamp:7/2/2020</Detail></Error>",
        ]
    ) { bytes in
        (try? XMLReader.read(bytes)) != nil
    }

    private static let yaml = FuzzTarget(
        "yaml",
        ["a: &x [1, two, {b: c}]\nd: *x\n", "key: |\n  text\n  more\nlist:\n  - a\n  - \"b\\n\"\n"].map {
            Array($0.utf8)
        }
            + samples("config")
    ) { bytes in
        (try? YAMLReader.read(String(decoding: bytes, as: UTF8.self))) != nil
    }

    private static let configuration = FuzzTarget(
        "configuration",
        samples("config") + [Array(soundConfiguration.utf8)]
    ) {
        let reader = ConfigurationReader(environment: [:])
        return (try? reader.read(text: String(decoding: $0, as: UTF8.self), source: "fuzz")) != nil
    }

    private static let templates = FuzzTarget(
        "template language",
        [
            "$(headline)", "{$(a) + ' ' + #(b)}", "{'x' + .(c, 10)}", "%(d)", "$(name, 20)", "text $(a)",
            "{$(ttl) + 's'}",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let platforms: [PushPlatform] = [.apns, .fcmv1, .wns]
        let description = TemplateDescription(body: text)
        for platform in platforms { _ = try? NotificationTemplate(description, platform: platform) }
        return (try? TemplateExpression(parsing: text)) != nil
    }

    private static let tagExpressions = FuzzTarget(
        "tag expressions",
        ["world", "(sports || world) && !muted", "a && b && c", "$UserId:{u=1} || $InstallationId:{x}", "!(a||b)"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let expression = try? TagExpression(parsing: text) else { return false }
        // Its description must be parsed again with the same meaning.
        return (try? TagExpression(parsing: expression.description)) == expression
    }

    private static let connectionStrings = FuzzTarget(
        "connection strings",
        [
            "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Send;SharedAccessKey=a2V5a2V5a2V5",
            "Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName=a b;SharedAccessKey=a==;UseDevelopmentEmulator=true",
        ]
    ) { bytes in
        (try? HubConnectionString(String(decoding: bytes, as: UTF8.self))) != nil
    }

    /// The inputs have no checksum: each gets its own, because a wrong one ends the decoding.
    private static let ledgerRecords = FuzzTarget("ledger records", [ledgerRecord]) { input in
        var bytes = input + [UInt8(ascii: ",")]
        let sum = Checksum.of(bytes.span)
        bytes += "\"sum\":\"".utf8
        bytes.append(addingCapacity: 16) { $0.append(hexadecimalDigitsOf: sum) }
        bytes += "\"}".utf8
        var index = StoryIndex(byteLimit: 1 << 16)
        let key = Array("urn:example:story:1".utf8)
        let restored = try? index.restore(bytes.span, of: key.span, ledgerOffset: 1)
        let decoded = try? LedgerRecordCodec.decode(bytes.span)
        return restored != nil || decoded != nil
    }

    private static let replies = FuzzTarget(
        "replies",
        [
            "<Error><Code>401</Code><Detail>InvalidSignature: The token has an invalid signature..TrackingId:7f_G19</Detail></Error>",
            "429", "Wed, 21 Oct 2026 07:28:00 GMT",
        ]
    ) { bytes in
        let status = 100 + Int(bytes.first ?? 0) * 2
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        let response = HTTPResponse(
            status: status,
            headers: [
                HTTPHeaders.Field("Retry-After", text), HTTPHeaders.Field("Location", text),
                HTTPHeaders.Field("TrackingId", text),
            ],
            body: bytes
        )
        return HubClient.reply(to: .success(response), now: Timestamp(seconds: 0)).verdict == .accepted
    }

    /// Responses on the wire: in one piece, in two pieces and byte by byte they must be parsed alike.
    private static let answers = FuzzTarget(
        "answers",
        [
            "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nRetry-After: 3\r\n\r\nmade",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\nmade\r\n0\r\nX: y\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length:2\r\n\r\nhi",
            "HTTP/1.1 304\r\nA:\r\nB: \t c \r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nto the end",
        ]
    ) { bytes in
        let cut = bytes.count / 2
        let pieces = [[bytes[...]], [bytes[..<cut], bytes[cut...]], bytes.indices.map { bytes[$0...$0] }]
        let results = pieces.map { pieces in
            var parser = ResponseParser(maximumBytes: 1 << 20)
            parser.begin(isForHead: false)
            for piece in pieces where !piece.isEmpty { parser.parse(Array(piece).span) }
            parser.parseEnd()
            return (parser.state, parser.mayBeReused, parser.state == .whole ? parser.removeResponse() : nil)
        }
        for result in results { #expect(result == results[0]) }
        guard let response = results[0].2 else { return false }
        // A parsed response can be encoded, and no field of it makes a further line.
        #expect(HTTPHeaders(response.headers.fields).validity == .valid)
        return true
    }

    private static let urls = FuzzTarget(
        "urls",
        [
            "https://ns.servicebus.windows.net:443/hub/messages/?api-version=2015-01", "http://[::1]:81/a%20b#c",
            "http://a",
        ]
    ) { bytes in
        guard let address = try? RequestAddress(String(decoding: bytes, as: UTF8.self)) else { return false }
        // The origin's own URL has the same origin.
        return (try? RequestAddress(address.origin.url).origin) == address.origin
    }

    private static let dates = FuzzTarget(
        "dates",
        ["2026-03-02T08:21:00.123456789+05:30", "9999-12-31T23:59:59Z", "Wed, 21 Oct 2026 07:28:00 GMT"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        return Timestamp(rfc3339: text) != nil || Timestamp(httpDate: text) != nil
    }

    /// An accepted time zone must have an offset for every instant, and its clock must reach every time in order.
    private static let timeZones = FuzzTarget(
        "time zones",
        [
            ZoneFile.bytes(rule: "CET-1CEST,M3.5.0,M10.5.0/3"), ZoneFile.bytes(rule: "<-02>2<-01>,J60/-1,300/24:30:10"),
            ZoneFile.bytes(
                initial: -36_000,
                changes: [(-1 << 40, 3600), (0, 7200), (1_325_239_200, 50_400)],
                rule: ""
            ),
        ]
    ) { bytes in
        guard let zone = try? TimeZoneRules(name: "x", tzif: bytes.span) else { return false }
        for seconds: Int64 in [.min, -1, 0, 1_325_239_200, 1_800_000_000, .max] {
            let instant = Timestamp(seconds: seconds)
            #expect(abs(zone.offset(at: instant)) < 26 * 3600)
            let shown = zone.localTime(at: instant)
            let first = zone.firstInstant(showing: LocalTime(day: shown.day, minute: shown.minute))
            #expect(first <= instant)
        }
        return true
    }

    // MARK: - Corpus

    private static let eventTexts: [[UInt8]] = [
        #"{"v":1,"id":"cms-1","source":"https://cms.example.org/desk","story":"urn:example:story:quake","revision":3,"#
            + #""kind":"correction","published":"2026-03-02T08:21:00Z","categories":["world"],"#
            + #""text":{"en":{"headline":"Earthquake was of magnitude 6.8","summary":"\u00e9"}}}"#,
        #"{"v":1,"id":"k","story":"s","revision":2,"kind":"kill","published":"2026-03-02T08:21:00.5+01:00","urgency":1,"#
            + #""embargo":"2026-03-02T09:00:00Z","expires":"2026-03-03T09:00:00Z","url":"https://a.example/","categories":[]}"#,
        #"{"v":1,"id":"p","source":"https://cms.example.org/desk","story":"s","revision":1,"kind":"alert","#
            + #""published":"2026-03-02T08:21:00Z","delivery":"secure","audience":{"users":["anna","rui"]},"#
            + #""text":{"en":{"headline":"For two"}}}"#,
    ].map { Array($0.utf8) }

    private static let itemTexts: [[UInt8]] = [
        #"{"uri":"u","version":"1","versioncreated":"2026-03-02T12:10:00+0000","urgency":1,"headline":"Words &amp; <b>&#233;","#
            + #""language":"en","ednote":"CORRECTION","subject":[{"code":"20000151","scheme":"a"}],"place":[{"code":"CZ-10"}]}"#,
        #"{"guid":"g","evolvedfrom":"u","version":2,"versioncreated":"2026-03-02T12:10:00Z","pubstatus":"withheld"}"#,
        #"{"uri":"u","version":"4","versionCreated":"2026-03-02T12:10:00Z","pubStatus":"usable","headlines":[{"role":"main","#
            + #""value":"Words"}],"subjects":[{"uri":"http://cv.iptc.org/newscodes/mediatopic/20000151"}],"associations":[{"#
            + #""type":"picture","renditions":[{"href":"https://a.example/","width":640}]}],"embargoedUntil":"2026-03-03T00:00:00Z"}"#,
    ].map { Array($0.utf8) }

    private static let ledgerRecord: [UInt8] = {
        let event = NewsEvent(
            id: "a",
            source: "https://cms.example.org/desk",
            story: "urn:example:story:1",
            revision: 1,
            kind: .alert,
            urgency: nil,
            published: Timestamp(seconds: 1_700_000_000),
            embargo: nil,
            expires: nil,
            categories: ["world"],
            text: [EventText(language: "en", headline: "Headline")],
            mode: .live
        )
        var record = StoryFacts(
            awaiting: event,
            digest: ContentDigest(of: event),
            now: Timestamp(seconds: 1_700_000_001)
        )
        record.waiting = [
            StoryFacts.Waiting(
                offset: 4,
                timestamp: Timestamp(seconds: 1_700_000_000),
                consumedAt: Timestamp(seconds: 1_700_000_001),
                until: Timestamp(seconds: 1_800_000_000),
                reason: .embargo,
                attempts: 2,
                key: Array("k".utf8),
                value: eventTexts[0],
                headers: []
            )
        ]
        return LedgerRecordCodec.encode(record, of: "urn:example:story:1").dropLast(
            #","sum":"0123456789abcdef"}"#.utf8.count
        )
    }()

    private static let soundConfiguration = """
        version: 1
        kafka: { bootstrapServers: "a:9092", group: g }
        sources: { desk: { topic: news } }
        hubs: { main: { name: newsroom, connectionStringFile: /run/hub } }
        locales: { offered: [en, fr], default: en }
        send: { tags: "{category}", properties: { x: "{headline_fr}" } }
        categories: { World: [world, "medtop:20000002"] }
        delivery: { concurrency: 8, retry: { base: 250ms, cap: 30s }, longestPause: 60s }
        text: { flash: "Breaking: {headline}", kill: "Withdrawn: {headline}" }
        """

    /// The files of a folder of `Tests/Data`.
    static func samples(_ folder: String) -> [[UInt8]] {
        let names = (try? TestData.names(in: folder)) ?? []
        return names.compactMap { try? TestData.bytes(of: "\(folder)/\($0)") }
    }
}
