import NewsflashSQLite
import Testing

@Suite("SQLiteStatement", .timeLimit(.minutes(1)))
struct SQLiteStatementTests {
    let database: SQLiteDatabase

    init() throws {
        database = try SQLiteDatabase(path: ":memory:")
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(0), .integer(.min), .integer(.max), .text(""),
        .text("Zürich 🗞"), .text("a\u{0}b"), .text("e\u{301}"), .blob([]), .blob([0, 0xFF, 0]),
        .text(String(repeating: "long ", count: 10_000)),
    ])
    func `a value is read back unchanged`(value: SQLiteValue) throws {
        try database.execute("CREATE TABLE cells(cell ANY) STRICT")
        #expect(try database.prepare("INSERT INTO cells VALUES (?1)").run(value) == 1)
        var rows = try database.prepare("SELECT cell, typeof(cell) FROM cells").rows()
        try #require(try rows.next() == true)
        switch value {
        case .null:
            #expect(try rows.optionalInteger(0) == nil)
            #expect(try rows.optionalText(0) == nil)
        case .integer(let integer): #expect(try rows.integer(0) == integer)
        case .text(let text): #expect(try Array(rows.text(0).utf8) == Array(text.utf8))
        case .blob(let bytes): #expect(try rows.blob(0) == bytes)
        }
        #expect(try rows.text(1) != "")
        #expect(try rows.next() == false)
        #expect(try rows.next() == false)
    }

    @Test func `nil is stored as null`() throws {
        var rows = try database.prepare("SELECT ?1, ?2").rows(.text(String?.none), .integer(Int64?.none))
        #expect(try rows.next() == true)
        #expect(try rows.optionalText(0) == nil)
        #expect(try rows.optionalInteger(1) == nil)
    }

    @Test func `a statement runs again with other values`() throws {
        let select = try database.prepare("SELECT ?1 + 1")
        for number in [1, 41] as [Int64] {
            var rows = try select.rows(.integer(number))
            #expect(try rows.next() == true)
            #expect(try rows.integer(0) == number + 1)
        }
    }

    @Test func `a statement that is returning rows does not start again`() throws {
        let select = try database.prepare("SELECT 1 UNION SELECT 2")
        var rows = try select.rows()
        #expect(try rows.next() == true)
        expect(.misuse) { _ = try select.rows() }
        #expect(try rows.next() == true)
        #expect(try rows.integer(0) == 2)
    }

    @Test func `a column with another type is an error that names it`() throws {
        var rows = try database.prepare("SELECT 'x' AS word, 1 AS number, 1.5 AS size, x'00' AS bytes, NULL AS none")
            .rows()
        expect(.mismatch) { _ = try rows.text(0) }
        #expect(try rows.next() == true)
        expect(.mismatch, naming: "'word'") { _ = try rows.integer(0) }
        expect(.mismatch, naming: "'word'") { _ = try rows.optionalInteger(0) }
        expect(.mismatch, naming: "'number'") { _ = try rows.text(1) }
        expect(.mismatch, naming: "'size'") { _ = try rows.blob(2) }
        expect(.mismatch, naming: "'bytes'") { _ = try rows.text(3) }
        expect(.mismatch, naming: "'none'") { _ = try rows.integer(4) }
        expect(.mismatch, naming: "'none'") { _ = try rows.blob(4) }
        expect(.mismatch) { _ = try rows.integer(5) }
        expect(.mismatch) { _ = try rows.integer(-1) }
        #expect(try rows.next() == false)
        expect(.mismatch) { _ = try rows.text(0) }
    }

    @Test func `the number of values must be the number of parameters`() throws {
        let select = try database.prepare("SELECT ?1, ?2")
        expect(.misuse, naming: "takes 2 values, not 1") { try select.run(.null) }
        expect(.misuse, naming: "takes 2 values, not 3") { try select.run(.null, .null, .null) }
    }

    @Test func `a text that is not exactly one statement is an error`() {
        expect(.misuse, naming: "syntax error") { _ = try database.prepare("SELEKT 1") }
        expect(.misuse, naming: "no such table") { _ = try database.prepare("SELECT * FROM nowhere") }
        expect(.misuse, naming: "more than one") { _ = try database.prepare("SELECT 1; SELECT 2") }
        expect(.misuse, naming: "empty") { _ = try database.prepare(" -- nothing") }
        #expect(throws: Never.self) { try database.prepare("SELECT 1 ; ") }
    }

    @Test func `a failed statement can be used again`() throws {
        try database.execute("CREATE TABLE words(word TEXT NOT NULL) STRICT")
        let insert = try database.prepare("INSERT INTO words VALUES (?1)")
        expect(.constraint, naming: "words.word") { try insert.run(.null) }
        #expect(try insert.run(.text("fine")) == 1)
    }

    private func expect(_ code: SQLiteError.Code, naming part: String = "", _ body: () throws -> Void) {
        let error = #expect(throws: SQLiteError.self) { try body() }
        #expect(error?.code == code)
        #expect(part.isEmpty || error?.message.contains(part) == true, "\(String(describing: error))")
    }
}
