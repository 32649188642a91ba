import NewsflashTestSupport
import Testing

@testable import NewsflashSigning

@Suite(.timeLimit(.minutes(1)))
struct PasswordHashTests {
    private func quick() throws -> PasswordHash.Cost {
        try #require(PasswordHash.Cost(logRounds: 4, blockSize: 8, repetitions: 1))
    }

    @Test func `the result is the test vector of RFC 7914`() throws {
        // Section 12, the third vector: N 16384, r 8, p 1, 64 bytes.
        let hash = "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
        let stored = try #require(PasswordHash("$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$" + hash))
        #expect(try stored.matches(Array("pleaseletmein".utf8)))
        #expect(try !stored.matches(Array("pleaseletmeim".utf8)))
    }

    @Test(arguments: ["hunter2", "", "pässwörd ✓", String(repeating: "x", count: 1024)])
    func `a stored hash matches its password and no other`(password: String) throws {
        let hash = try PasswordHash(of: Array(password.utf8), cost: quick())
        let stored = try #require(PasswordHash(hash.text))
        #expect(stored == hash)
        #expect(try stored.matches(Array(password.utf8)))
        #expect(try !stored.matches(Array((password + " ").utf8)))
    }

    @Test func `the same password never has the same hash twice`() throws {
        let password = Array("hunter2".utf8)
        #expect(try PasswordHash(of: password, cost: quick()).text != PasswordHash(of: password, cost: quick()).text)
    }

    @Test(arguments: [
        "", "hunter2", "$scrypt$", "$bcrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o",
        "$scrypt$ln=4,r=8,p=1$c2hvcnQ$cCO9yzr9c0hGHAbNgf046/2o",
        "$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9",
        "$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU=$cCO9yzr9c0hGHAbNgf046/2o",
        "$scrypt$ln=4,p=1,r=8$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o",
        "$scrypt$ln=+4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o",
        "$scrypt$ln=4,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o$",
    ])
    func `a text in another form is not a hash`(text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test(arguments: [(21, 1, 1), (0, 8, 1), (15, 33, 1), (15, 0, 1), (15, 8, 17), (15, 8, 0), (18, 8, 1), (99, 8, 1)])
    func `a stored hash cannot demand memory or work beyond the bounds`(logRounds: Int, size: Int, repetitions: Int) {
        #expect(PasswordHash.Cost(logRounds: logRounds, blockSize: size, repetitions: repetitions) == nil)
        let form = "ln=\(logRounds),r=\(size),p=\(repetitions)"
        #expect(PasswordHash("$scrypt$\(form)$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o") == nil)
    }

    /// Adds the padding, which the stored form leaves out.
    private func padded(_ text: Substring) -> String { text + String(repeating: "=", count: -text.utf8.count & 3) }

    @Test func `neither description nor mirror shows the hash`() throws {
        let hash = try PasswordHash(of: Array("hunter2".utf8), cost: quick())
        let parts = hash.text.split(separator: "$").suffix(2).compactMap { Base64.decode(padded($0)) }
        #expect(parts.map(\.count) == [16, 32])
        for part in parts { #expect(leaks(of: part, in: hash) == []) }
    }

    @Test func `the default cost is within the bounds and uses tens of megabytes`() {
        #expect(PasswordHash.Cost.standard.memory == 32 << 20)
        #expect(PasswordHash.Cost(logRounds: 15, blockSize: 8, repetitions: 3) == .standard)
    }
}
