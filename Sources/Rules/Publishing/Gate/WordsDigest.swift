import NewsEvents
import Rendering

/// A digest of an event's headlines after cleaning, to find the same words under another story.
///
/// The same in every process, so that it may be stored.
enum WordsDigest {
    static func of(_ texts: [EventText]) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        let texts = texts.span
        texts.forEachPlace(by: { texts[$0].language < texts[$1].language }) { place in
            digest = ByteSum.step(digest, ByteSum.of(TextCleaning.clean(texts[place].headline)))
        }
        return digest
    }
}
