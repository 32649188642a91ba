import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct FreedMemoryTests {
    private static func names(besides tunables: String) -> [String] {
        FreedMemory.bounds(besides: tunables).map(\.name)
    }

    @Test func `both bounds are set if nobody has set one`() {
        let both = ["glibc.malloc.mmap_threshold", "glibc.malloc.trim_threshold"]
        #expect(Self.names(besides: "") == both)
        #expect(Self.names(besides: "glibc.malloc.tcache_count=48:glibc.malloc.mmap_threshold_max=1") == both)
    }

    @Test func `a bound that the environment sets is left alone`() {
        let tunables = "glibc.rtld.nns=4:glibc.malloc.mmap_threshold=1048576"
        #expect(Self.names(besides: tunables) == ["glibc.malloc.trim_threshold"])
        #expect(Self.names(besides: "\(tunables):glibc.malloc.trim_threshold=4096").isEmpty)
    }
}
