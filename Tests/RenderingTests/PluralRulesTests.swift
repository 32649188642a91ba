import StrictJSON
import TestSupport
import Testing

@testable import Rendering

/// Forms beside numbers, held to CLDR's own rules.
@Suite(.timeLimit(.minutes(1)))
struct PluralRulesTests {
    private static let numbers: [UInt64] =
        Array(0...250) + [999, 1_000, 1_001, 1_000_000, 2_000_000, 1_000_001, 100_011]

    @Test(.needsPluralRules)
    func `every language of the data counts as CLDR says`() throws {
        let data = try JSONReader.read(SharedData.bytes(of: "data/cldr/plurals.subset.json"))
        let languages = try #require(data[member: "plurals"]?.object)
        #expect(languages.count > 30)
        for (name, value) in languages.map({ ($0.name, $0.value) }) {
            let cardinal = try #require(value[member: "cardinal"]?.object)
            let rules = PluralRules(try #require(LanguageTag(name)))
            let categories = Set(cardinal.map(\.name) + ["other"])
            #expect(Set(rules.categories.map(\.rawValue)) == categories, "\(name)")
            for number in Self.numbers {
                let form = cardinal.first { Self.holds($0.value.string ?? "", for: number) }?.name ?? "other"
                #expect(rules.category(of: number).rawValue == form, "\(number) in \(name)")
            }
        }
    }

    @Test(arguments: [
        ("en", 1, "one"), ("en", 0, "other"), ("fr", 0, "one"), ("ru", 22, "few"), ("ar", 2, "two"), ("zh", 1, "other"),
    ])
    func `a number takes the form of its language`(language: String, number: UInt64, form: String) throws {
        #expect(PluralRules(try #require(LanguageTag(language))).category(of: number).rawValue == form)
    }

    /// CLDR's syntax for a whole number: `n` and `i` are it, all else is nought.
    private static func holds(_ rule: String, for number: UInt64) -> Bool {
        rule.split(separator: " or ").contains { alternative in
            alternative.split(separator: " and ").allSatisfy { relation in
                let words = relation.split(separator: " ")
                var operand = words.first == "n" || words.first == "i" ? number : 0
                if words.count > 2, words[1] == "mod", let divisor = UInt64(words[2]) { operand %= divisor }
                let isIn = (words.last ?? "").split(separator: ",").contains { range in
                    let bounds = range.split(separator: ".").compactMap { UInt64($0) }
                    return (bounds.first ?? 0) <= operand && operand <= (bounds.last ?? 0)
                }
                return isIn != words.contains("not")
            }
        }
    }
}
