import CMalloc
import FoundationEssentials

/// How much of what was freed the C library keeps for the next who asks.
///
/// Kafka's fetches are blocks of up to a megabyte that one thread makes and another frees. Left to itself, glibc learns from the
/// first that was freed to serve such blocks from its heaps, and these keep what is free between smaller blocks that live on: some
/// 15 MB of 130 with six partitions. With fixed bounds large blocks go back to the system at once, which costs a quarter of a page
/// fault an event. A bound that `GLIBC_TUNABLES` names is left as it says there. See `mallopt(3)`.
enum FreedMemory {
    struct Bound: Equatable {
        /// As `GLIBC_TUNABLES` calls it.
        let name: String
        /// As `mallopt(3)` calls it.
        let parameter: Int32
        let bytes: Int32
    }

    private static let all = [
        // Blocks of this size and more are mapped each by itself.
        Bound(name: "glibc.malloc.mmap_threshold", parameter: M_MMAP_THRESHOLD, bytes: 512 << 10),
        // What a heap keeps free at its end.
        Bound(name: "glibc.malloc.trim_threshold", parameter: M_TRIM_THRESHOLD, bytes: 1 << 20),
    ]

    /// Sets the bounds, for the whole process; before there are threads that allocate much.
    static func bound() {
        let tunables = ProcessInfo.processInfo.environment["GLIBC_TUNABLES"] ?? ""
        for bound in bounds(besides: tunables) { mallopt(bound.parameter, bound.bytes) }
    }

    /// Which bounds are to be set.
    ///
    /// - Parameter tunables: The value of `GLIBC_TUNABLES`, such as `glibc.malloc.trim_threshold=4096:glibc.rtld.nns=4`.
    /// - Returns: Those that the tunables do not name.
    static func bounds(besides tunables: String) -> [Bound] {
        let set = Set(tunables.split(separator: ":").map { $0.prefix { $0 != "=" } })
        return all.filter { !set.contains($0.name[...]) }
    }
}
