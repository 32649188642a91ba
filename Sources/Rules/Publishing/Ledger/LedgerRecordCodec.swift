import StrictJSON

/// Writes and reads the records of the ledger topic: JSON, one record a story, for programs and for people with `kcat`.
///
/// ```json
/// {"v":2,"story":"quake-42","revision":2,"event":"e-7","source":"desk","kind":"update","digest":"00c0ffee00c0ffee",
///  "changed":"2026-03-02T08:40:00.050Z","processed":{"through":4711},"words":4711,
///  "audiences":[{"hub":"main","format":"template","tags":"world","act":"5be0c2a7e4f1d309","kind":"update","revision":2,
///                "at":"2026-03-02T08:40:00.012Z"}],
///  "sum":"8f5b7c1d20e3a496"}
/// ```
///
/// - `v` is the version; a reader refuses one that it does not know. Members that it does not know are passed over.
/// - `phase` is absent for an open story; `final` unless a repeat of the latest act may be sent; `secure` unless no words may
///   travel; `users` for an audience by categories; and lists if they are empty.
/// - `words` is the offset of the source's event with the words that subscribers were notified of, and `withdrawal` that of the
///   latest kill that ended.
/// - `audiences` has the facts: `certainty` is `accepted` if it is absent, or `possible`, `suspected` or `owed`
///   (``AudienceFact``). `act` names the event by a sum over its id and source, for kills and holds also over the kind.
/// - `earlier` names acts before `event`, `begun` acts that a hub accepted and that have not ended, and `pushes` the latest
///   notifications, for caps and volume limits.
/// - `waiting` has key, value and headers of source records as strings if they are UTF-8, otherwise as `key_base64`,
///   `value_base64`. A key or header value that was null is absent.
/// - `sum` is last: a hash of all bytes up to the comma before it, which shows a damaged record. A record without
///   it is read all the same, so that a person can write one.
package enum LedgerRecordCodec {
    /// The version that is written and the only one that is read.
    package static let version: Int64 = 2

    /// Writes the value of the record of a story, whose key is the story.
    package static func encode(_ record: StoryFacts, of story: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(record, of: story, to: &bytes)
        return bytes
    }

    /// Writes the same behind other bytes, without an array of its own.
    package static func append(_ record: StoryFacts, of story: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        // Source records that wait may be long.
        let waiting = record.waiting.reduce(0) { $0 + $1.value.count }
        bytes.append(expecting: 1024 + 2 * waiting) { record.write(of: story, into: &$0) }
        // The sum stands behind everything, and over the comma before it.
        bytes.append(UInt8(ascii: ","))
        let sum = ByteSum.of(bytes.span.extracting(droppingFirst: start))
        bytes.append(expecting: 32) { output in
            output.write(#""sum":"#, hexadecimal: sum)
            output.write("}")
        }
    }
}
