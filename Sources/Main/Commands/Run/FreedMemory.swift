import CMalloc

/// How much of what was freed the C library keeps for the next who asks.
///
/// Kafka's fetches are blocks of up to a megabyte that one thread makes and another frees. Left to itself, glibc learns from the
/// first that was freed to serve such blocks from its heaps, and these keep what is free between smaller blocks that live on: some
/// 15 MB of 130 with six partitions. With fixed bounds large blocks go back to the system at once, which costs a quarter of a page
/// fault an event. They hold whatever `GLIBC_TUNABLES` says. See `mallopt(3)`.
enum FreedMemory {
    /// Blocks of this size and more are mapped each by itself, in bytes.
    private static let ownMapping: Int32 = 512 << 10
    /// What a heap keeps free at its end, in bytes.
    private static let kept: Int32 = 1 << 20

    /// Sets the bounds, for the whole process; before there are threads that allocate much.
    static func bound() {
        mallopt(M_MMAP_THRESHOLD, ownMapping)
        mallopt(M_TRIM_THRESHOLD, kept)
    }
}
