import NewsflashStrictJSON

/// Encodes and decodes the records of the ledger topic: JSON, one record for each story, for programs and for people with
/// `kcat`.
///
/// ```json
/// {"v":2,"story":"quake-42","revision":2,"event":"e-7","source":"desk","kind":"update","digest":"00c0ffee00c0ffee",
///  "changed":"2026-03-02T08:40:00.050Z","processed":{"through":4711},"words":4711,
///  "audiences":[{"hub":"main","format":"template","tags":"world","act":"5be0c2a7e4f1d309","kind":"update","revision":2,
///                "at":"2026-03-02T08:40:00.012Z"}],
///  "sum":"8f5b7c1d20e3a496"}
/// ```
///
/// - `v` is the version; other versions are refused. Unknown members are ignored.
/// - `phase` is absent for an open story; `final` unless a repeat of the latest act may be sent; `secure` unless no text may be
///   sent; `users` for an audience by categories; and lists if they are empty.
/// - `words` is the source offset of the event with the text that subscribers received, and `withdrawal` that of the latest
///   kill that ended. `early` is true if records that an earlier owner may have sent were unread then.
/// - `audiences` contains the facts: `certainty` is `accepted` if it is absent, or `possible`, `suspected` or `owed`
///   (``AudienceFact``); `unanswered` counts the attempts of a possible one that got no definite answer. `act` identifies the
///   event by a hash of its id and source, for kills and holds also of its kind.
/// - `earlier` lists acts before `event`, `begun` acts that a hub accepted and that have not ended, `replaced` other acts of news
///   that later ones replaced at an audience, and `pushes` the latest notifications, for caps and volume limits.
/// - `waiting` contains key, value and headers of source records as strings if they are UTF-8, otherwise as `key_base64`,
///   `value_base64`. A null key or header value is absent.
/// - `sum` is last: a hash of all bytes up to and including the comma before it, which shows a damaged record. Only white space
///   may follow the record. A record without it is accepted, so that a person can write one.
package enum LedgerRecordCodec {
    /// The version that is written, and the only one that is read.
    package static let version: Int64 = 2

    /// Encodes the value of a story's record. The record's key is the story.
    package static func encode(_ record: StoryFacts, of story: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        append(record, of: story, to: &bytes)
        return bytes
    }

    /// Encodes the same after other bytes, without another array.
    package static func append(_ record: StoryFacts, of story: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        var writer = JSONWriter(appendingTo: bytes)
        // The writer appends in place, because it is the only owner.
        bytes = []
        writer.beginObject()
        record.write(of: story, into: &writer)
        bytes = writer.finish()
        // The sum is last, and covers the comma before it.
        bytes.append(UInt8(ascii: ","))
        let sum = Checksum.of(bytes.span.extracting(droppingFirst: start))
        writer = JSONWriter(appendingTo: bytes)
        bytes = []
        writer.member("sum", hexadecimal: sum)
        writer.endObject()
        bytes = writer.finish()
    }
}
