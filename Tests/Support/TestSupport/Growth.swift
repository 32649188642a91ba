#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures the growth of processor time when the amount of work is four times as large. The result is about 4 if the
/// time is proportional to the amount, and about 16 if it is proportional to its square.
///
/// Only the time of this thread counts, and the shorter one of two runs, so that other processes have little influence.
///
/// - Parameters:
///   - amount: The smaller of the two amounts.
///   - prepare: Prepares the work of an amount; its time does not count.
///   - work: Does the work.
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
