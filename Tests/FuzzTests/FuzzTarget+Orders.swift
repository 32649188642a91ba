import NewsflashEvents
import NewsflashTimestamps
import Testing

@testable import NewsflashPublishing

extension FuzzTarget {
    /// The input of people's commands, and the records that they read.
    static let orders = [controlOrders, replays, outcomes, traces]

    /// The control topic: an accepted command is encoded as it was decoded.
    private static let controlOrders = FuzzTarget(
        "control orders",
        [
            #"{"v":1,"act":"pause","scope":"https://cms.example.org/desk","by":"anna","reason":"drill","at":"2026-03-02T08:00:00Z"}"#,
            #"{"v":1,"act":"reload","canary":200,"within":600,"announce":["words"],"limits":{"lost":3},"by":"anna","reason":"","at":"2026-03-02T08:00:00Z"}"#,
            #"{"v":1,"act":"logLevel","level":"debug","until":"2026-03-02T09:00:00Z","by":"anna","reason":"lag","at":"2026-03-02T08:00:00Z"}"#,
        ]
    ) { bytes in
        guard let order = try? ControlOrderCodec.decode(bytes.span) else { return false }
        if case .unknown = order { return true }
        let written = ControlOrderCodec.encode(order)
        #expect((try? ControlOrderCodec.decode(written.span)) == order)
        return true
    }

    /// The headers of a command that sends an event again, one a line: an accepted event is marked as sent again.
    private static let replays = FuzzTarget(
        "replays",
        [
            "newsflash-replay-id: r-1\nnewsflash-replay-of: 3@48120\nnewsflash-replay-at: 2026-03-02T08:00:00Z\n"
                + "newsflash-replay-only-tag: test\nnewsflash-replay-value: "
                + #"{"v":1,"id":"a","source":"s","story":"s","revision":1,"kind":"alert","published":"2026-03-02T08:00:00Z","#
                + #""categories":["world"],"text":{"en":{"headline":"Words"}}}"#,
            "newsflash-replay-id: r-1\nnewsflash-replay-of: 3@48120\nnewsflash-replay-at: 2026-03-02T08:00:00Z\n"
                + "newsflash-replay-again: s\nnewsflash-replay-delivery: secure\nnewsflash-replay-value: {}",
        ]
    ) { bytes in
        let headers = bytes.split(separator: UInt8(ascii: "\n")).prefix(64).map { line in
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            return EventHeader(
                name: String(decoding: name, as: UTF8.self),
                value: Array(line.dropFirst(name.count + 2))
            )
        }
        guard case .event(let event, _) = EventDecoder(defaultSource: "urn:desk").decode(bytes: nil, headers: headers)
        else { return false }
        #expect(event.replay != nil)
        return true
    }

    /// Outcomes, which other versions have written: an accepted one can be encoded and decoded again.
    private static let outcomes = FuzzTarget(
        "outcomes",
        [
            #"{"v":1,"event":"e","source":"s","story":"s","revision":1,"kind":"alert","outcome":"sent","final":true,"at":"2026-03-02T08:00:00Z","#
                + #""origin":{"topic":"news","partition":0,"offset":3,"timestamp":"2026-03-02T08:00:00Z"},"config":"0123abcd","#
                + #""replay":{"id":"r","of":"0@1","onlyTag":"test","at":"2026-03-02T08:00:00Z"},"#
                + #""timing":{"broker":1,"consumed":2.5},"targets":[{"hub":"main","platform":"template","tags":"World","#
                + #""status":"accepted","httpStatus":201,"attempts":1,"bytes":668,"digest":"38fe6bf9a0b5"}]}"#
        ]
    ) { bytes in
        guard let record = try? OutcomeRecordReader.read(bytes.span) else { return false }
        let again = try? OutcomeRecordReader.read(record.json.span)
        #expect(again?.verdict.outcome == record.verdict.outcome && again?.targets.count == record.targets.count)
        return true
    }

    private static let traces = FuzzTarget(
        "traces",
        ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
    ) { bytes in
        guard let trace = TraceParent(bytes) else { return false }
        #expect(trace.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        return true
    }
}
