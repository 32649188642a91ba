import FoundationEssentials
import NewsflashSQLite
import NewsflashTestSupport
import Testing

@Suite("SQLiteDatabase", .timeLimit(.minutes(1)))
struct SQLiteDatabaseTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `committed changes are there after reopening, and others are lost`() throws {
        let path = folder.file("test.sqlite")
        do {
            let database = try SQLiteDatabase(path: path)
            try database.execute("CREATE TABLE words(word TEXT) STRICT; INSERT INTO words VALUES ('kept')")
            try database.execute("BEGIN; INSERT INTO words VALUES ('lost')")
        }
        let database = try SQLiteDatabase(path: path)
        #expect(try words(database) == ["kept"])
    }

    @Test func `only the owner may read the file and its log, also a file that others could read before`() throws {
        let path = folder.file("test.sqlite")
        func modes() throws -> [String: String] {
            var modes: [String: String] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
                modes[name] = attributes[.posixPermissions].map { String(($0 as? Int) ?? 0, radix: 8) }
            }
            return modes
        }
        let database = try SQLiteDatabase(path: path)
        try database.execute("CREATE TABLE words(word TEXT) STRICT")
        #expect(try modes() == ["test.sqlite": "600", "test.sqlite-wal": "600", "test.sqlite-shm": "600"])
        for name in try modes().keys {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file(name))
        }
        let second = try SQLiteDatabase(path: path)
        #expect(try words(second) == [])
        #expect(Set(try modes().values) == ["600"])
    }

    @Test func `a transaction returns the result of its body`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        let count = try database.transaction { () throws(SQLiteError) in
            try database.execute("CREATE TABLE words(word TEXT) STRICT")
            return try database.prepare("INSERT INTO words VALUES (?1), (?2)").run(.text("a"), .text("b"))
        }
        #expect(count == 2)
        #expect(try words(database) == ["a", "b"])
    }

    @Test func `a transaction whose body throws changes nothing`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try database.execute("CREATE TABLE words(word TEXT UNIQUE) STRICT")
        let insert = try database.prepare("INSERT INTO words VALUES (?1)")
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try insert.run(.text("same"))
                try insert.run(.text("same"))
            }
        }
        #expect(error?.code == .constraint)
        #expect(error?.resultCode == 2067)
        #expect(try words(database) == [])
        // The next one can begin.
        try database.transaction { () throws(SQLiteError) in _ = try insert.run(.text("same")) }
        #expect(try words(database) == ["same"])
    }

    @Test func `transactions do not nest`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.transaction { () throws(SQLiteError) in }
            }
        }
        #expect(error?.code == .misuse)
    }

    @Test func `the version of the schema is stored, and belongs to the transaction`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        #expect(try database.userVersion() == 0)
        try database.setUserVersion(7)
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.setUserVersion(8)
                try database.execute("no SQL")
            }
        }
        database.close()
        #expect(try SQLiteDatabase(path: folder.file("test.sqlite")).userVersion() == 7)
    }

    @Test func `the file can be opened again once its last user has released it`() throws {
        let alone = SQLiteConfiguration(busyTimeout: .zero, isExclusive: true)
        var statement: SQLiteStatement? = try SQLiteDatabase(path: folder.file("test.sqlite"), configuration: alone)
            .prepare("SELECT 1")
        #expect(try statement?.run() == 0)
        #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: folder.file("test.sqlite"), configuration: alone) }
        statement = nil
        #expect(throws: Never.self) { try SQLiteDatabase(path: folder.file("test.sqlite"), configuration: alone) }
    }

    @Test func `a database ends its open statements when it is closed, with or without rows`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try database.execute("CREATE TABLE words(word TEXT) STRICT; INSERT INTO words VALUES ('a'), ('b')")
        let select = try database.prepare("SELECT word FROM words")
        let insert = try database.prepare("INSERT INTO words VALUES (?1)")
        var rows = try select.rows()
        #expect(try rows.next() == true)
        database.close()
        database.close()
        expectClosed { _ = try rows.next() }
        expectClosed { _ = try rows.text(0) }
        expectClosed { try insert.run(.text("c")) }
        expectClosed { try database.execute("SELECT 1") }
        expectClosed { _ = try database.prepare("SELECT 1") }
        expectClosed { try database.transaction { () throws(SQLiteError) in } }
        let exclusive = SQLiteConfiguration(busyTimeout: .zero, isExclusive: true)
        #expect(try words(SQLiteDatabase(path: folder.file("test.sqlite"), configuration: exclusive)) == ["a", "b"])
    }

    @Test func `foreign keys are checked`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try database.execute(
            """
            CREATE TABLE stories(id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE revisions(story INTEGER REFERENCES stories(id)) STRICT;
            """
        )
        let error = #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO revisions VALUES (1)") }
        #expect(error?.code == .constraint)
    }

    @Test func `a database in memory works the same`() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE words(word TEXT) STRICT")
        #expect(try words(database) == [])
    }

    private func words(_ database: SQLiteDatabase) throws(SQLiteError) -> [String] {
        var words: [String] = []
        var rows = try database.prepare("SELECT word FROM words ORDER BY rowid").rows()
        while try rows.next() { words.append(try rows.text(0)) }
        return words
    }

    private func expectClosed(_ body: () throws -> Void) {
        let error = #expect(throws: SQLiteError.self) { try body() }
        #expect(error?.code == .closed)
    }
}
