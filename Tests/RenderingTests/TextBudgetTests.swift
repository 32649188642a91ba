import NewsflashStrictJSON
import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct TextBudgetTests {
    @Test(arguments: [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("The minister resigns tonight", 22, "The minister resigns…"),
        ("The minister resigns tonight", 21, "The minister resigns…"),
        ("The minister resigns tonight", 20, "The minister resign…"),
        ("Donaudampfschifffahrtsgesellschaft", 10, "Donaudamp…"),
        ("He said yes, then no to the plan", 13, "He said yes…"),
        ("Alerte « rouge » levée ce soir", 16, "Alerte « rouge…"),
        ("塞雷诺港近海发生（七级）地震", 12, "塞雷诺港近海发生（七…"),
        ("塞雷诺港近海发生，地震警报", 9, "塞雷诺港近海发…"),
        ("क्षि श्री लाखों क्षि", 4, "क्षि श…"),
        ("👩\u{200D}👩\u{200D}👧👩\u{200D}👩\u{200D}👧👩\u{200D}👩\u{200D}👧", 2, "👩\u{200D}👩\u{200D}👧…"),
        ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func `a text is cut by user-perceived characters`(_ text: String, _ characters: Int, _ cut: String) {
        if text.hasPrefix("क्षि") {
            // One user-perceived character or two, depending on the Unicode version of the standard library: never cut
            // in between.
            let result = TextBudget(characters: characters, bytes: 1_000).cut(text).text
            #expect(text.hasPrefix(result.dropLast()) && result.count <= characters)
            return
        }
        #expect(TextBudget(characters: characters, bytes: 1_000).cut(text).text == cut)
    }

    @Test(arguments: [
        ("plain", 5), ("\"q\" \\", 8), ("\u{2028}", 6), ("\u{2029}x", 7), ("é", 2), ("\u{1}", 6), ("\t", 2), ("¨©", 4),
    ])
    func `bytes are counted as encoded in JSON`(_ text: String, _ bytes: Int) {
        #expect(TextBudget.encodedBytes(of: text) == bytes)
        var writer = JSONWriter()
        writer.value(text)
        #expect(writer.bytes.count == bytes + 2)
    }

    @Test func `a cut stays in its budget and splits no character`() {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let text = TextCleaning.clean(random.text(length: 30))
            let budget = TextBudget(
                characters: .random(in: 0...24, using: &random),
                bytes: .random(in: 0...120, using: &random),
                ellipsis: ["…", "...", ""].randomElement(using: &random) ?? "…"
            )
            let result = budget.cut(text)
            let about = "seed \(random.seed): \(text.debugDescription) in \(budget)"
            #expect(result.text.count <= budget.characters, "\(about)")
            #expect(TextBudget.encodedBytes(of: result.text) <= budget.bytes, "\(about)")
            #expect(result.isCut == (result.text != text), "\(about)")
            guard result.isCut else { continue }
            let hasEllipsis = result.text.unicodeScalars.suffix(budget.ellipsis.unicodeScalars.count)
                .elementsEqual(budget.ellipsis.unicodeScalars)
            let kept = result.text.unicodeScalars.dropLast(hasEllipsis ? budget.ellipsis.unicodeScalars.count : 0)
            #expect(text.unicodeScalars.starts(with: kept), "\(about)")
            let end = text.unicodeScalars.index(text.startIndex, offsetBy: kept.count)
            #expect(text.indices.contains(end) || end == text.startIndex, "\(about)")
        }
    }
}
