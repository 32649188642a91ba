import Randomness

/// Numbers that look random and are the same for the same seed, and what is chosen by them.
struct BenchRandom {
    private var numbers: SeededRandom

    init(seed: UInt64) {
        numbers = SeededRandom(seed: seed)
    }

    private static let words: [String: [String]] = [
        "en": """
        storm reaches coast as thousands leave their homes minister says talks will go on after vote in parliament \
        market falls court rules against plan fire near port under control team wins final in extra time
        """,
        "fr": """
        la tempête atteint la côte des milliers d’habitants évacués le ministre annonce la suite des négociations \
        après le vote au parlement le marché recule incendie près du port maîtrisé l’équipe gagne la finale
        """,
        "cs": """
        bouře zasáhla pobřeží tisíce lidí opouští domovy ministr oznámil že jednání budou pokračovat po hlasování \
        trhy klesají soud zamítl plán požár u přístavu je pod kontrolou tým vyhrál finále v prodloužení
        """,
    ].mapValues { $0.split(separator: " ").map(String.init) }

    /// A number from zero to one less than a positive bound.
    mutating func below(_ bound: Int) -> Int {
        Int(numbers.next() % UInt64(max(1, bound)))
    }

    /// One of some.
    mutating func choice(_ values: [String]) -> String { values[below(values.count)] }

    /// So many different ones, in the order in which they were drawn.
    mutating func sample(_ count: Int, of values: [String]) -> [String] {
        var left = values
        return (0..<min(count, values.count)).map { _ in left.remove(at: below(left.count)) }
    }

    /// Words of a language until they have so many bytes, with a capital at the beginning.
    mutating func sentence(in locale: String, bytes: Int) -> String {
        let words = Self.words[locale] ?? []
        var text = ""
        repeat {
            let word = choice(words)
            text += text.isEmpty ? word.prefix(1).uppercased() + word.dropFirst() : " " + word
        } while text.utf8.count + 1 < bytes
        return text
    }
}
