import Testing

/// The partition that stores a group.
@Suite(.timeLimit(.minutes(1)))
struct CoordinatorTests {
    @Test
    func `a group is stored in the partition given by Java's hash of its name`() {
        #expect(coordinatingPartition(of: "a", among: 4) == 97 % 4)
        // "hello".hashCode() is 99162322, and the hash of "newsflash-workers" overflows.
        #expect(coordinatingPartition(of: "hello", among: 50) == 22)
        #expect((0..<4).contains(coordinatingPartition(of: "newsflash-workers", among: 4)))
    }
}
