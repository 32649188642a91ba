import Signing
import StrictJSON
import Timestamps

/// Conversion of ids and stories of feeds to the form that events require.
enum FeedName {
    /// Returns a name itself, or its digest if it is too long for an event or is not printable ASCII without blanks.
    static func shaped(_ name: String, most: Int) -> String {
        guard name.utf8.count > most || !StringSyntax.identifier.fits(name) else { return name }
        return digest(Array(name.utf8))
    }

    /// The id of an item: its story or name, its revision, and a word for its act unless it notifies.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - number: Its revision as text; `nil` if it has none.
    ///   - act: A word for its act, such as `canceled`: the same revision may be withheld, released and canceled.
    /// - Returns: An id such as `uri#2!canceled`.
    static func id(_ name: String, number: String?, act: String?) -> String {
        let ending = act.map { "!\($0)" } ?? ""
        let whole = number.map { "\(name)#\($0)" } ?? name
        return shaped(whole, most: EventSchemaReader.longestID - ending.utf8.count) + ending
    }

    /// The id of a withdrawal that has none: the same each time the record is read.
    ///
    /// - Parameters:
    ///   - kind: Kill or hold. Each record of a hold is another act, even if its bytes are the same.
    ///   - document: The record's document.
    ///   - writtenAt: The record's time.
    /// - Returns: A digest.
    static func id(of kind: EventKind, _ document: JSONValue, writtenAt: Timestamp?) -> String {
        var writer = JSONWriter()
        writer.value(document)
        let time = kind == .kill ? "" : writtenAt.map { String($0.milliseconds) } ?? ""
        return digest(Array("\(kind.rawValue) \(time) ".utf8) + writer.bytes)
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let digest = SHA256Digest.hash(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "sha256:" + String(decoding: digest, as: UTF8.self)
    }
}
