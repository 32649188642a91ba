import NewsflashBasics

/// Pseudo-random numbers that depend only on the seed, and choices based on them.
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

    /// Returns a number from 0 up to, but not including, a positive bound.
    mutating func below(_ bound: Int) -> Int {
        Int(numbers.next() % UInt64(max(1, bound)))
    }

    /// Returns one of the values.
    mutating func choice(_ values: [String]) -> String { values[below(values.count)] }

    /// Returns `count` different values, in the order in which they were drawn.
    mutating func sample(_ count: Int, of values: [String]) -> [String] {
        var left = values
        return (0..<min(count, values.count)).map { _ in left.remove(at: below(left.count)) }
    }

    /// Returns words of a language, about `bytes` long, with a capital letter at the beginning.
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
