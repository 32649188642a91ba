import FoundationEssentials
import NewsflashSQLite
import NewsflashTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("SQLiteError", .timeLimit(.minutes(1)))
struct SQLiteErrorTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a file that is not a database is reported`() throws {
        try Data(repeating: UInt8(ascii: "x"), count: 5000).write(to: URL(filePath: folder.file("test.sqlite")))
        let error = opening(SQLiteConfiguration())
        #expect(error?.code == .notADatabase)
        #expect(
            error?.description.hasPrefix("cannot use \(folder.file("test.sqlite")): file is not a database; move")
                == true
        )
    }

    @Test func `a missing folder is reported`() {
        let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: folder.path + "/none/test.sqlite") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("check that the folder exists") == true)
    }

    @Test(arguments: ["", "a\u{0}b"])
    func `an invalid name is refused`(path: String) {
        let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.code == .cannotOpen)
    }

    @Test(.needsOrdinaryUser)
    func `a file without permission to write is reported when it is opened`() throws {
        try SQLiteDatabase(path: folder.file("test.sqlite")).execute("CREATE TABLE words(word TEXT)")
        #expect(chmod(folder.file("test.sqlite"), 0o400) == 0)
        #expect(opening(SQLiteConfiguration())?.code == .readOnly)
    }

    @Test(arguments: [false, true])
    func `an exclusive database cannot be opened by others`(isThereBefore: Bool) throws {
        if isThereBefore {
            try SQLiteDatabase(path: folder.file("test.sqlite")).execute("CREATE TABLE words(word TEXT)")
        }
        let alone = SQLiteConfiguration(busyTimeout: .zero, isExclusive: true)
        let owner = try SQLiteDatabase(path: folder.file("test.sqlite"), configuration: alone)
        for configuration in [alone, SQLiteConfiguration(busyTimeout: .zero)] {
            let error = opening(configuration)
            #expect(error?.code == .locked)
            #expect(error?.message.contains("another process or connection uses the file") == true)
        }
        owner.close()
        #expect(opening(alone) == nil)
    }

    @Test func `a database that others read cannot be opened exclusively`() throws {
        let reader = try SQLiteDatabase(path: folder.file("test.sqlite"))
        #expect(opening(SQLiteConfiguration(busyTimeout: .zero, isExclusive: true))?.code == .locked)
        reader.close()
    }

    @Test func `one of two writers waits and then fails`() throws {
        let first = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try first.execute("CREATE TABLE words(word TEXT)")
        let second = try SQLiteDatabase(
            path: folder.file("test.sqlite"),
            configuration: SQLiteConfiguration(busyTimeout: .milliseconds(50))
        )
        let started = ContinuousClock.now
        try first.transaction { () throws(SQLiteError) in
            let error = #expect(throws: SQLiteError.self) {
                try second.transaction { () throws(SQLiteError) in }
            }
            #expect(error?.code == .locked)
        }
        #expect(ContinuousClock.now - started >= .milliseconds(50))
        #expect(throws: Never.self) { try second.transaction { () throws(SQLiteError) in } }
    }

    @Test func `a database that cannot grow reports a full disk, and goes on`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try database.execute("CREATE TABLE words(word TEXT); PRAGMA max_page_count = 3")
        let insert = try database.prepare("INSERT INTO words VALUES (?1)")
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try insert.run(.text(String(repeating: "x", count: 100_000)))
            }
        }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("make room on the disk") == true)
        try database.transaction { () throws(SQLiteError) in _ = try insert.run(.text("small")) }
        var rows = try database.prepare("SELECT word FROM words").rows()
        #expect(try rows.next() == true)
        #expect(try rows.text(0) == "small")
    }

    @Test func `a damaged file is reported`() throws {
        let database = try SQLiteDatabase(path: folder.file("test.sqlite"))
        try database.execute("CREATE TABLE words(word TEXT)")
        let insert = try database.prepare("INSERT INTO words VALUES (?1)")
        try database.transaction { () throws(SQLiteError) in
            for number in 0..<1000 { try insert.run(.text("word \(number)")) }
        }
        database.close()
        let url = URL(filePath: folder.file("test.sqlite"))
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0x5A, count: bytes.count - 4096))
        try bytes.write(to: url)
        let error = #expect(throws: SQLiteError.self) {
            try SQLiteDatabase(path: folder.file("test.sqlite")).execute("SELECT count(*) FROM words")
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("restore the file") == true)
    }

    /// Returns the error of opening the file.
    private func opening(_ configuration: SQLiteConfiguration) -> SQLiteError? {
        do throws(SQLiteError) {
            _ = try SQLiteDatabase(path: folder.file("test.sqlite"), configuration: configuration)
            return nil
        } catch {
            return error
        }
    }
}
