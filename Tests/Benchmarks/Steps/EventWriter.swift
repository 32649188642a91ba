import NewsflashBasics
import NewsflashPublishing

/// Writes typical events of a newsroom: 600 to 900 bytes, one to three languages, a separate story for each event.
///
/// The same number always leads to the same bytes, however many other events are written.
struct EventWriter {
    private static let words: [String: [String]] = [
        "en": words(
            """
            storm reaches coast as thousands leave their homes minister says talks will go on after vote in parliament \
            market falls court rules against plan fire near port under control team wins final in extra time
            """
        ),
        "fr": words(
            """
            la tempête atteint la côte des milliers d’habitants évacués le ministre annonce la suite des négociations \
            après le vote au parlement le marché recule incendie près du port maîtrisé l’équipe gagne la finale
            """
        ),
        "cs": words(
            """
            bouře zasáhla pobřeží tisíce lidí opouští domovy ministr oznámil že jednání budou pokračovat po hlasování \
            trhy klesají soud zamítl plán požár u přístavu je pod kontrolou tým vyhrál finále v prodloužení
            """
        ),
    ]
    private static let categories = [
        "world", "politics", "business", "technology", "science", "sports",
        "medtop:16000000", "medtop:11000000", "medtop:04000000", "medtop:15000000",
    ]
    /// The kinds of twenty events.
    private static let kinds =
        ["flash"] + Array(repeating: "alert", count: 5) + Array(repeating: "update", count: 12)
        + ["correction", "correction"]

    private let number: Int
    private var random: SeededRandom

    /// The record of an event.
    ///
    /// - Parameter number: The number of the event, from 0.
    /// - Returns: The record's key, which is the story, and its value.
    static func record(_ number: Int) -> (key: [UInt8], value: [UInt8]) {
        var writer = EventWriter(number: number, random: SeededRandom(seed: UInt64(number)))
        return (Array(writer.story.utf8), writer.value())
    }

    private var name: String { String(String(10_000_000 + number).dropFirst()) }

    private var story: String { "urn:example:story:s-\(name)" }

    private mutating func value() -> [UInt8] {
        let locales = Array(["en", "fr", "cs"].prefix(Int.random(in: 1...3, using: &random)))
        let target = Int.random(in: 600...900, using: &random)
        let categories = Self.categories.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let kind = Self.kinds.randomElement(using: &random) ?? "alert"
        let beginning = """
            {"v":1,"id":"e-\(name)","source":"https://cms.example.org/desk","story":"\(story)","revision":1,\
            "kind":"\(kind)","urgency":\(Int.random(in: 1...5, using: &random)),\
            "published":"2026-03-02T08:00:00.\(String(String(1_000_000 + number).dropFirst()))Z",\
            "categories":[\(categories.map { "\"\($0)\"" }.joined(separator: ","))],"language":"en","text":{
            """
        let end = #"},"url":"https://news.example.org/s-\#(name)","approvedBy":["ed:novak","ed:adeyemi"]}"#
        let headlines = locales.map { sentence($0, of: Int.random(in: 45...80, using: &random)) }
        let size = headlines.reduce(beginning.utf8.count + end.utf8.count) { $0 + $1.utf8.count + 21 }
        let spare = target - size
        // If only a few bytes are missing, the first language gets all of them.
        let told = spare > 60 * locales.count ? locales.count : spare > 0 ? 1 : 0
        let texts = zip(locales, headlines).enumerated().map { index, text in
            let summary = index < told ? #","summary":"\#(sentence(text.0, of: max(spare / told - 13, 1)))""# : ""
            return #""\#(text.0)":{"headline":"\#(text.1)"\#(summary)}"#
        }
        return Array((beginning + texts.joined(separator: ",") + end).utf8)
    }

    /// Random words with at least `size` bytes.
    private mutating func sentence(_ locale: String, of size: Int) -> String {
        var text = ""
        while text.utf8.count < size {
            if !text.isEmpty { text += " " }
            text += Self.words[locale]?.randomElement(using: &random) ?? "?"
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
