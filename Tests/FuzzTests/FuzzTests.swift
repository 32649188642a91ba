import FoundationEssentials
import NewsflashTestSupport
import Testing

/// Whether `.ci/fuzz` runs these tests, for hours and without other tests.
private let isAlone = variable("NEWSFLASH_FUZZ_INPUTS") != nil

/// Decoders of foreign input, with inputs that nobody would write.
///
/// Five hundred inputs each by default; `.ci/fuzz` runs millions.
@Suite(.timeLimit(.minutes(isAlone ? 600 : 5)))
struct FuzzTests {
    /// The number of inputs for each target: `NEWSFLASH_FUZZ_INPUTS`.
    private static let count = variable("NEWSFLASH_FUZZ_INPUTS").flatMap { Int($0) } ?? 500
    /// The seed: `NEWSFLASH_FUZZ_SEED`, or a new one.
    private static let seed = variable("NEWSFLASH_FUZZ_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)
    /// The selected targets: `NEWSFLASH_FUZZ_TARGETS`, names with commas between; all by default.
    private static let targets = FuzzTarget.all.filter { target in
        variable("NEWSFLASH_FUZZ_TARGETS").map { $0.split(separator: ",").contains(target.name[...]) } ?? true
    }
    /// The number of accepted inputs that are kept for each target.
    private static let longestPool = 500
    /// Longer inputs come from inputs that were inserted into themselves, take long and find nothing new.
    private static let longestInput = 4 << 10

    @Test(arguments: targets)
    func `a decoder accepts or refuses every input`(_ target: FuzzTarget) {
        var generator = SeededGenerator(seed: Self.seed)
        var pool = target.corpus
        var taken = 0
        var slowest = Duration.zero
        let start = ContinuousClock.now
        let reached = target.corpus.count(where: target.read)
        // Memory of the first inputs may stay; growth after that is a leak.
        var size = Self.residentSize
        let longest = max(Self.longestInput, 2 * (target.corpus.map(\.count).max() ?? 0))
        for number in 0..<Self.count {
            let bytes = (pool.randomElement(using: &generator) ?? []).mutated(using: &generator)
            guard bytes.count <= longest else { continue }
            let began = ContinuousClock.now
            if target.read(bytes) {
                taken += 1
                if pool.count < Self.longestPool {
                    pool.append(bytes)
                } else {
                    pool[Int.random(in: target.corpus.count..<pool.count, using: &generator)] = bytes
                }
            }
            let took = ContinuousClock.now - began
            if took > slowest { slowest = took }
            if number == Self.count / 2 { size = Self.residentSize }
        }
        let growth = Self.residentSize - size
        print(
            "fuzz \(target.name) seed \(Self.seed): \(Self.count) inputs in \((ContinuousClock.now - start).components.seconds) s, "
                + "\(taken) taken, slowest \(slowest), \(growth / 1024) kB more"
        )
        #expect(reached > 0, "a target that takes nothing of its corpus is not reached")
        #expect(slowest < .seconds(5), "seed \(Self.seed): an input took \(slowest)")
        // Other tests of the process use its memory, too.
        #expect(!isAlone || growth < 32 << 20, "seed \(Self.seed): \(growth) bytes more after the second half")
    }

    @Test(arguments: FuzzTarget.all)
    func `a decoder accepts at least one of its samples, and refuses at least one that is empty, cut or reversed`(
        _ target: FuzzTarget
    ) {
        #expect(target.corpus.contains(where: target.read), "the decoder is not reached")
        let broken = target.corpus.flatMap {
            [Array($0.prefix($0.count / 2)), Array($0.dropLast()), Array($0.reversed())]
        }
        #expect(([[]] + broken).contains { !target.read($0) }, "the decoder accepts everything")
    }

    @Test func `the samples are the first inputs`() {
        #expect(FuzzTarget.samples("malformed").count > 15)
        #expect(FuzzTarget.samples("adapters").count > 15)
        #expect(FuzzTarget.samples("config").count == 3)
    }

    /// The memory of this process in bytes; zero if the system does not report it.
    private static var residentSize: Int {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ")
        return (words.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}
