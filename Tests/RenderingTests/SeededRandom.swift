import NewsflashTestSupport

/// Reproducible random texts: a failing test names the seed.
struct SeededRandom: RandomNumberGenerator {
    let seed: UInt64
    private var generator: SeededGenerator

    init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed
        self.generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    /// Returns a text of pieces that are likely to interfere with each other.
    mutating func text(length: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &self) {
            let piece = Self.pieces.randomElement(using: &self) ?? "a"
            for _ in 0..<(Int.random(in: 0..<20, using: &self) == 0 ? 12 : 1) {
                scalars.append(contentsOf: piece.unicodeScalars)
            }
        }
        return String(scalars)
    }

    private static let pieces = [
        "a", "e", "Z", "9", " ", " ", "\n", "\u{85}", "\u{A0}", "\u{202F}", "\u{2028}", "\u{3000}", "\u{0}", "\u{1B}",
        "\u{AD}", "\u{FEFF}", String(decoding: [0xFFFE] as [UInt16], as: UTF16.self), "\u{2060}", "\u{202E}",
        "\u{2066}", "\u{200E}", "\u{61C}", "\u{200B}",
        "\u{200C}", "\u{200D}", "\u{FE0F}", "\u{301}", "\u{30C}", "\u{316}", "\u{344}", "\u{489}", "\u{34F}", "\u{93C}",
        "\u{915}", "\u{94D}", "\u{937}", "\u{93F}", "\u{958}", "\u{929}", "\u{1100}", "\u{1161}", "\u{11A8}",
        "\u{AC00}",
        "\u{5D0}", "\u{634}", "\u{627}", "\u{653}", "中", "。", "»", "«", "\"", "\\", ",", ".", ")", "(", "—", "…", "👩",
        "🏻",
        "🇨", "🇿", "🏴", "\u{E0067}", "\u{E007F}", "\u{3164}", "\u{2800}", "\u{E31}", "\u{E48}", "\u{600}", "\u{212B}",
        "Å",
    ]
}
