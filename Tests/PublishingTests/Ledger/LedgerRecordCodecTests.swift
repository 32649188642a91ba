import NewsflashEvents
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LedgerRecordCodecTests {
    private func decode(_ text: String) throws(LedgerRecordError) -> (story: String, record: StoryFacts) {
        try LedgerRecordCodec.decode(Array(text.utf8).span)
    }

    /// The error for a record with these members and without a sum.
    private func fault(_ members: String) -> String? {
        let text = """
            {"v":2,"story":"s","revision":1,"event":"e","source":"d","kind":"alert","digest":"0000000000000001",\
            "changed":"2026-03-02T08:40:00Z"\(members)}
            """
        do throws(LedgerRecordError) {
            _ = try decode(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a record is readable text`() throws {
        var record = try StoryFacts.typical(4711)
        record.text = []
        let text = String(decoding: LedgerRecordCodec.encode(record, of: "quake"), as: UTF8.self)
        #expect(
            text == """
                {"v":2,"story":"quake","revision":2,"event":"urn:newsml:desk:20260302:e4711",\
                "source":"https://desk.example/wire","kind":"alert","digest":"8ee1049573b16673",\
                "changed":"2026-03-02T08:40:00.000Z","processed":{"through":4711},"audiences":[{"hub":"main",\
                "format":"template","tags":"world || breaking","categories":["world"],"act":"0000000000000007",\
                "kind":"alert","revision":2,"at":"2026-03-02T08:39:59.960Z"}],"sum":"\(text.suffix(18).prefix(16))"}
                """
        )
    }

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func `an encoded record is decoded unchanged`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let record = try StoryFacts.random(using: &generator)
            let story = String.random(using: &generator)
            let bytes = LedgerRecordCodec.encode(record, of: story)
            let back = try LedgerRecordCodec.decode(bytes.span)
            #expect(back.record == record, "seed \(seed)")
            #expect(Array(back.story.utf8) == Array(story.utf8), "seed \(seed)")
            #expect(LedgerRecordCodec.encode(back.record, of: back.story) == bytes, "seed \(seed)")
        }
    }

    @Test func `the bytes of a waiting event are decoded unchanged, text or not`() throws {
        var record = try StoryFacts.typical(1)
        record.waiting = [
            StoryFacts.Waiting(
                offset: 1,
                timestamp: nil,
                consumedAt: Timestamp(nanoseconds: 1),
                until: nil,
                reason: .embargo,
                attempts: 0,
                key: [],
                value: [0xFF, 0x00, 0xC3],
                headers: [.init(name: "empty", value: []), .init(name: "null", value: nil)]
            )
        ]
        let bytes = LedgerRecordCodec.encode(record, of: "s")
        #expect(try LedgerRecordCodec.decode(bytes.span).record == record)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""key":"","value_base64":"/wDD""#))
    }

    @Test(arguments: [51, 52] as [UInt64])
    func `a truncated record is refused`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            let bytes = LedgerRecordCodec.encode(try .random(using: &generator), of: .random(using: &generator))
            for length in 0..<bytes.count {
                #expect(throws: LedgerRecordError.self, "\(length) bytes, seed \(seed)") {
                    try LedgerRecordCodec.decode(bytes.span.extracting(0..<length))
                }
            }
        }
    }

    @Test(arguments: [61, 62, 63] as [UInt64])
    func `a record with a changed byte is refused or has the same contents`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let record = try StoryFacts.random(using: &generator)
        let bytes = LedgerRecordCodec.encode(record, of: "story")
        var refused = 0
        for index in bytes.indices {
            for _ in 0..<8 {
                var damaged = bytes
                damaged[index] ^= .random(in: 1...255, using: &generator)
                do throws(LedgerRecordError) {
                    let read = try LedgerRecordCodec.decode(damaged.span)
                    #expect(read.record == record, "byte \(index), seed \(seed)")
                    #expect(read.story == "story", "byte \(index), seed \(seed)")
                } catch {
                    refused += 1
                }
            }
        }
        // Only the name of the sum is not covered by it.
        #expect(refused >= (bytes.count - 3) * 8, "seed \(seed)")
    }

    @Test(arguments: [71, 72] as [UInt64])
    func `a record with more damage is refused as well`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let record = try StoryFacts.random(using: &generator)
        let bytes = LedgerRecordCodec.encode(record, of: "story")
        #expect(try LedgerRecordCodec.decode(bytes.span).record == record, "seed \(seed)")
        var refused = 0
        for _ in 0..<3000 {
            let damaged = bytes.mutated(using: &generator)
            // A record without a sum was written by a person.
            guard String(decoding: damaged, as: UTF8.self).contains("\"sum\":") else { continue }
            if let read = try? LedgerRecordCodec.decode(damaged.span) {
                #expect(read.record == record, "seed \(seed)")
            } else {
                refused += 1
            }
        }
        #expect(refused > 1000, "seed \(seed)")
    }

    @Test func `white space may follow the sum, but not be beside it`() throws {
        let record = try StoryFacts.typical(1)
        let text = String(decoding: LedgerRecordCodec.encode(record, of: "s"), as: UTF8.self)
        #expect(try decode(text + " \r\n").record == record)
        for change in ["\"sum\":": "\"sum\": ", ",\"sum\"": ", \"sum\"", "\"}": "\" }", "sum": "\\u0073um"] {
            let end = String(text.suffix(26)).replacing(change.key, with: change.value)
            #expect(end != text.suffix(26))
            #expect(throws: LedgerRecordError.self, "\(end)") { try decode(String(text.dropLast(26)) + end) }
        }
        // Without its sum, as a person writes it.
        #expect(try decode(String(text.dropLast(26)) + "\n}").record == record)
    }

    @Test func `members of later versions are ignored`() throws {
        let read = try decode(
            """
            {"v":2,"later":{"a":[1,{"b":null}]},"story":"s","revision":1,"event":"e","source":"d","kind":"alert",
             "digest":"0000000000000001","changed":"2026-03-02T08:40:00Z","audiences":[{"hub":"h","format":"f","tags":"t",
             "act":"0000000000000002","kind":"flash","revision":1,"at":"2026-03-02T08:40:00Z","later":1.5e3}] , "later2" : "\\ud83d\\ude00" }
            """
        )
        #expect(read.record.audiences.count == 1)
        #expect(read.record.isFinal)
    }

    @Test func `kinds and date-times with escapes are decoded`() throws {
        let text = #"""
            {"v":2,"story":"s","revision":1,"event":"e","source":"d","kind":"\u0061lert",
             "digest":"0000000000000001","changed":"2026-03-02T08:40:00\u005a"}
            """#
        let read = try decode(text)
        #expect(read.record.kind == .alert)
        #expect(read.record.changedAt == Timestamp(rfc3339: "2026-03-02T08:40:00Z"))
    }

    @Test func `another version is refused by its number, whatever else the record contains`() {
        for text in [#"{"v":1,"story":7}"#, #"{"story":7,"v":1}"#] {
            #expect {
                try decode(text)
            } throws: { error in
                (error as? LedgerRecordError)?.description
                    == "/v: the record is of version 1, this newsflash reads version 2 [ledger_version]"
            }
        }
    }

    @Test func `an error contains the path`() {
        #expect(fault("") == nil)
        #expect(fault(#","story":"t""#) == "/story: duplicate member [ledger_member]")
        #expect(fault(#","later":{"a":1,"a":1}"#) == "/later/a: duplicate member [ledger_member]")
        #expect(fault(#","phase":"shut""#) == "/phase: is not a word that this version supports [ledger_member]")
        #expect(fault(#","final":1"#) == "/final: must be true or false [ledger_member]")
        #expect(
            fault(#","processed":{"through":-1}"#)
                == "/processed/through: must be a whole number that is not negative [ledger_member]"
        )
        #expect(
            fault(#","processed":{"through":4,"ahead":[4]}"#) == "/processed: the offsets do not ascend [ledger_member]"
        )
        #expect(fault(#","processed":{"ahead":[1,2.5]}"#)?.hasPrefix("/processed/ahead/1: must be a whole") == true)
        #expect(fault(#","text":{}"#) == "/text: must be an array [ledger_member]")
        #expect(fault(#","text":[{"language":"en"}]"#) == "/text/0/headline: is missing [ledger_member]")
        #expect(
            fault(#","text":[{"language":"en","headline":null}]"#)?.hasPrefix("/text/0/headline: must be a text")
                == true
        )
        let sent =
            #"{"hub":"h","format":"f","revision":1,"act":"0000000000000002","kind":"alert","at":"2026-03-02T08:40:00Z","tags":"#
        #expect(
            fault(#","audiences":[\#(sent)"a"},\#(sent)"a || "}]"#)?.hasPrefix("/audiences/1/tags: a tag is missing")
                == true
        )
        let waiting = #"{"offset":1,"consumed":"2026-03-02T08:40:00Z","reason":"#
        #expect(
            fault(#","waiting":[\#(waiting)"quiet","value":""}]"#)
                == "/waiting/0/reason: is not a word that this version supports [ledger_member]"
        )
        #expect(
            fault(#","waiting":[\#(waiting)"retry","value_base64":"AB"}]"#)
                == "/waiting/0/value_base64: must be padded base 64 [ledger_member]"
        )
        #expect(fault(#","changed":"2026""#)?.hasPrefix("/changed: duplicate member") == true)
        #expect(fault(#","a":[1,]"#)?.hasPrefix("/a/1: no JSON value begins like this at byte") == true)
        #expect(
            fault(#","sum":"0000000000000000""#)
                == "/sum: is not that of the record's bytes: it was damaged or edited [ledger_sum]"
        )
        #expect(fault(#","sum":0"#) == "/sum: must be sixteen lower-case hexadecimal digits [ledger_member]")
        #expect(
            fault(#","sum":"0000000000000000","later":1"#) == "/sum: must be the last member [ledger_sum]"
        )
        #expect(fault("} {")?.hasSuffix("[ledger_json]") == true)
    }

    @Test func `a record nested without end is refused`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(fault(#","a":"# + deep)?.hasSuffix("[ledger_json]") == true)
    }

    @Test func `the detail of a verdict is truncated`() {
        let verdict = EventVerdict(.failed, "failed.refused", String(repeating: "é", count: 300))
        let closing = StoryFacts.Closing(offset: 1, event: "e", verdict: verdict)
        #expect(closing.verdict.detail?.utf8.count == 200)
    }
}
