import NewsflashEvents
import NewsflashPublishing
import NewsflashYAML

extension ConfigurationSection {
    /// An inclusive range of whole numbers: `4..9`, or `4` for that number alone.
    func range(_ key: String, in bounds: ClosedRange<Int>) -> ClosedRange<Int>? {
        guard let text = text(key) else { return nil }
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = ends.enumerated().filter { $0.offset != 1 }.map { Int(digits: $0.element) }
        guard ends.count == 1 || (ends.count == 3 && ends[1].isEmpty),
            let first = numbers.first.flatMap(\.self), let last = numbers.last.flatMap(\.self),
            first <= last, bounds.contains(first), bounds.contains(last)
        else {
            report(
                key,
                "'\(text)' is not a range from \(bounds.lowerBound) to \(bounds.upperBound); write two whole numbers, the "
                    + "lower first, such as \(bounds.lowerBound)..\(bounds.upperBound)"
            )
            return nil
        }
        return first...last
    }

    /// One rate or a list of rates. Each may count every story separately: `2 per 10m per story`.
    func ratesPerStory(_ key: String) -> [ConfiguredRate]? {
        guard let texts = list(key, as: .rate) else { return nil }
        return texts.compactMap { text in
            let rate = ConfiguredRate(text)
            if rate == nil {
                report(
                    key,
                    "'\(text)' is not a rate; write a count and a period, such as 12 per day, or 2 per 10m per story to "
                        + "count each story separately"
                )
            }
            return rate
        }
    }
}

/// A rate as written in a configuration.
struct ConfiguredRate: Equatable {
    /// A higher count would not limit what a person reads.
    private static let mostCounted = 1...1000
    private static let longest = Duration.seconds(31 * 86_400)

    let rate: Rate
    /// Whether it ends with `per story`.
    let isPerStory: Bool

    /// Reads `6 per 10m`, `12 per day` or `2 per 10m per story`.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 || (words.count == 5 && words[3] == "per" && words[4] == "story"), words[1] == "per",
            let count = Int(digits: words[0]), Self.mostCounted.contains(count),
            let length = Self.length(words[2]), length > .zero, length <= Self.longest
        else { return nil }
        rate = Rate(count, per: length)
        isPerStory = words.count == 5
    }

    private static func length(_ word: Substring) -> Duration? {
        switch word {
        case "minute": .seconds(60)
        case "hour": .seconds(3600)
        case "day": .seconds(86_400)
        default: Duration(configured: String(word))
        }
    }
}
