import Testing

@testable import NewsflashRendering

@Suite(.timeLimit(.minutes(1)))
struct ScalarCountTests {
    @Test(arguments: ["x", "é", "中", "😀", "e\u{301}", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"])
    func `the number of scalars is right at each position of a word`(text: String) {
        for before in 0..<18 {
            for count in 0..<6 {
                let text = String(repeating: "a", count: before) + String(repeating: text, count: count)
                #expect(text.scalarCount == text.unicodeScalars.count, "\(text)")
                #expect((text + "zzz").scalarCount == text.unicodeScalars.count + 3, "\(text)")
            }
        }
    }
}
