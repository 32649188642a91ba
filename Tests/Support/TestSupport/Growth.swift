#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How much more processor time work takes when there is four times as much of it: about 4 times if the time grows with the
/// amount, about 16 times if it grows with its square.
///
/// Only the time of this thread counts, and of two runs the shorter one, so that whatever else runs says little.
///
/// - Parameters:
///   - amount: The smaller of the two amounts.
///   - prepare: Makes the work of an amount; its time does not count.
///   - work: Does it.
/// - Returns: The ratio of the two times.
package func growth<Work>(
    from amount: Int,
    prepare: (Int) throws -> Work,
    work: (Work) throws -> Void
) rethrows -> Double {
    var shortest = [Double.infinity, .infinity]
    for _ in 0..<2 {
        for (index, size) in [amount, 4 * amount].enumerated() {
            let prepared = try prepare(size)
            let start = threadTime()
            try work(prepared)
            shortest[index] = min(shortest[index], threadTime() - start)
        }
    }
    return shortest[1] / max(shortest[0], .ulpOfOne)
}

/// The processor time of this thread, in seconds.
private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
