import NotificationHubs
import Testing

@testable import Publishing

@Suite(.timeLimit(.minutes(1)))
struct ExpressionPoolTests {
    private static func take(_ text: String, into pool: inout ExpressionPool) throws -> Int? {
        let expression = try TagExpression(parsing: text)
        return pool.take(expression, Array(expression.description.utf8).span)
    }

    @Test func `each expression is kept once, under its number`() throws {
        var pool = ExpressionPool(byteLimit: 1 << 20)
        let texts = (0..<100).map { "world && tag\($0)" }
        for _ in 0..<2 {
            for (number, text) in texts.enumerated() { #expect(try Self.take(text, into: &pool) == number) }
        }
        for (number, text) in texts.enumerated() {
            #expect(pool[number].description == text)
            #expect(pool.number(of: Array(text.utf8).span) == number)
        }
        #expect(pool.number(of: Array("world".utf8).span) == nil)
    }

    @Test(arguments: [0, 1000, 10_000, 100_000])
    func `what finds no room is not taken, and what was taken stays`(_ limit: Int) throws {
        var pool = ExpressionPool(byteLimit: limit)
        let texts = (0..<1000).map { "world || tag\($0)" }
        let numbers = try texts.map { try Self.take($0, into: &pool) }
        let count = numbers.firstIndex(of: nil) ?? texts.count
        #expect(count < texts.count)
        #expect(count * 256 <= limit)
        #expect(numbers == (0..<count).map { $0 } + Array(repeating: nil, count: texts.count - count))
        for number in 0..<count { #expect(pool[number].description == texts[number]) }
    }
}
