import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What this process has used up to an instant.
struct ProcessUsage {
    let instant: ContinuousClock.Instant
    /// User and system time of all threads.
    let cpu: Duration
    /// The same by number of thread, for those that live; empty where the system does not tell.
    let threads: [Int: ThreadUsage]

    struct ThreadUsage {
        var name: String
        var cpu: Duration
    }

    /// Time that threads took since an earlier look, by name. Threads that ended meanwhile are left out.
    func threadTimes(since earlier: ProcessUsage) -> [String: Duration] {
        threads.reduce(into: [:]) { times, thread in
            times[thread.value.name, default: .zero] +=
                thread.value.cpu - (earlier.threads[thread.key]?.cpu ?? .zero)
        }
    }

    /// Looks now.
    static func now() -> ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessUsage(
            instant: .now,
            cpu: usage.ru_utime.duration + usage.ru_stime.duration,
            threads: threadTimes()
        )
    }

    /// From `/proc/self/task`.
    private static func threadTimes() -> [Int: ThreadUsage] {
        let folder = "/proc/self/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var threads: [Int: ThreadUsage] = [:]
        for task in tasks {
            guard let number = Int(task), let name = text("\(folder)/\(task)/comm"),
                let time = text("\(folder)/\(task)/schedstat")?.split(separator: " ").first.flatMap({ Int64($0) })
            else { continue }
            threads[number] = ThreadUsage(name: String(name.prefix { !$0.isNewline }), cpu: .nanoseconds(time))
        }
        return threads
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The memory of this process in bytes of RAM, from `/proc/self/status`; `nil` where there is none.
struct ProcessMemory {
    /// `VmRSS`.
    let resident: Int
    /// `VmHWM`.
    let peak: Int

    static func now() -> ProcessMemory? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        func value(_ name: String) -> Int? {
            lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace).dropFirst().first
                .flatMap { Int($0) }.map { $0 * 1024 }
        }
        guard let resident = value("VmRSS:"), let peak = value("VmHWM:") else { return nil }
        return ProcessMemory(resident: resident, peak: peak)
    }
}

extension timeval {
    fileprivate var duration: Duration { .seconds(Int64(tv_sec)) + .microseconds(Int64(tv_usec)) }
}
