import Testing

@testable import Publishing

@Suite(.timeLimit(.minutes(1)))
struct StoryIndexTests {
    /// Few hashes, so that many stories meet; with names beside them, as two stories may have one hash.
    @Test func `it knows what a dictionary knows`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var index = StoryIndex()
            var hashes: [Int32: UInt64] = [:]
            for _ in 0..<400 {
                let slot = Int32.random(in: 0..<60, using: &random)
                if let hash = hashes.removeValue(forKey: slot) {
                    index.remove(slot, hash: hash)
                } else {
                    let hash = UInt64.random(in: 0..<40, using: &random)
                    hashes[slot] = hash
                    index.insert(slot, hash: hash)
                }
                for other in Int32(0)..<60 {
                    let hash = hashes[other]
                    #expect(index.slot(of: hash ?? 0, where: { $0 == other }) == (hash == nil ? nil : other))
                }
            }
        }
    }

    @Test func `what is not there is not removed`() {
        var index = StoryIndex()
        index.insert(3, hash: 7)
        index.remove(4, hash: 7)
        index.remove(3, hash: 8)
        #expect(index.slot(of: 7, where: { _ in true }) == 3)
    }
}
