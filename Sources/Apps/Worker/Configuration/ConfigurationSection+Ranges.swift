import NewsEvents
import Publishing
import YAML

extension ConfigurationSection {
    /// Whole numbers from one to another: `4..9`, or `4` for that alone.
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
                "'\(text)' is no range from \(bounds.lowerBound) to \(bounds.upperBound); write two whole numbers, the "
                    + "lower first, such as \(bounds.lowerBound)..\(bounds.upperBound)"
            )
            return nil
        }
        return first...last
    }

    /// So many in so long a time: `6 per 10m`, `12 per day`.
    func rate(_ key: String) -> Rate? {
        guard let text = scalar(key, as: .rate) else { return nil }
        guard let configured = ConfiguredRate(text), !configured.isPerStory else {
            report(key, "'\(text)' is no rate; write how many per how long, such as 6 per 10m or 20 per hour")
            return nil
        }
        return configured.rate
    }

    /// One rate or a list of them, each of which may count stories apart: `2 per 10m per story`.
    func ratesPerStory(_ key: String) -> [ConfiguredRate]? {
        guard let texts = list(key, as: .rate) else { return nil }
        return texts.compactMap { text in
            let rate = ConfiguredRate(text)
            if rate == nil {
                report(
                    key,
                    "'\(text)' is no rate; write how many per how long, such as 12 per day, or 2 per 10m per story for "
                        + "each story by itself"
                )
            }
            return rate
        }
    }
}

/// A rate as a configuration writes it.
struct ConfiguredRate: Equatable {
    /// More is no bound on what a human would read.
    private static let mostCounted = 1...1000
    private static let longest = Duration.seconds(31 * 86_400)

    let rate: Rate
    /// Whether `per story` stands behind it.
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
