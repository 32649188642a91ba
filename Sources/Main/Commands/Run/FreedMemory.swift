import CMalloc
import FoundationEssentials

/// Limits how much freed memory glibc keeps instead of returning it to the system.
///
/// Kafka's fetches are blocks of up to a megabyte that one thread allocates and another frees. By default, glibc raises its
/// mmap threshold when the first of them is freed, and then allocates them on its heaps. There, smaller live blocks prevent
/// the return of free memory: about 15 MB of 130 with six partitions. With fixed bounds, large blocks return to the system at
/// once, which costs a quarter of a page fault for each event. Bounds in `GLIBC_TUNABLES` are not changed. See `mallopt(3)`.
enum FreedMemory {
    struct Bound: Equatable {
        /// The name in `GLIBC_TUNABLES`.
        let name: String
        /// The parameter of `mallopt(3)`.
        let parameter: Int32
        let bytes: Int32
    }

    private static let all = [
        // Blocks of at least this size get a mapping of their own.
        Bound(name: "glibc.malloc.mmap_threshold", parameter: M_MMAP_THRESHOLD, bytes: 512 << 10),
        // The free memory that a heap keeps at its end.
        Bound(name: "glibc.malloc.trim_threshold", parameter: M_TRIM_THRESHOLD, bytes: 1 << 20),
    ]

    /// Sets the bounds for the whole process. Called before threads start that allocate much memory.
    static func bound() {
        let tunables = ProcessInfo.processInfo.environment["GLIBC_TUNABLES"] ?? ""
        for bound in bounds(besides: tunables) { mallopt(bound.parameter, bound.bytes) }
    }

    /// Returns the bounds to set.
    ///
    /// - Parameter tunables: The value of `GLIBC_TUNABLES`, such as `glibc.malloc.trim_threshold=4096:glibc.rtld.nns=4`.
    /// - Returns: The bounds that are not in the tunables.
    static func bounds(besides tunables: String) -> [Bound] {
        let set = Set(tunables.split(separator: ":").map { $0.prefix { $0 != "=" } })
        return all.filter { !set.contains($0.name[...]) }
    }
}
