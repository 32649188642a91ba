import TestSupport
import Testing

@testable import Publishing

/// A table by number against a dictionary, in thousands of random steps.
@Suite(.timeLimit(.minutes(1)))
struct NumberTableTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `does what a dictionary does`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = NumberTable<Int>()
        var model: [UInt64: Int] = [:]
        var last: UInt64 = 0
        for step in 0..<20_000 {
            let number =
                Bool.random(using: &generator) ? last + 1 : UInt64.random(in: 1...(last + 1), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                last = max(last, number)
                table.insert(step, at: number)
                model[number] = step
            case 2, 3:
                #expect(table.removeValue(at: number) == model.removeValue(forKey: number))
            default:
                table.update(number) { $0 += 1 }
                model[number]? += 1
            }
            #expect(table[number] == model[number])
        }
        #expect(table.count == model.count)
        table.filter { $0.isMultiple(of: 2) }
        #expect(
            Dictionary(uniqueKeysWithValues: table.elements.map { ($0.number, $0.value) })
                == model.filter { $0.value.isMultiple(of: 2) }
        )
    }
}
