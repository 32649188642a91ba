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
    /// The same by name of thread; empty where the system does not tell.
    let threads: [String: Duration]

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

    /// From `/proc/self/task`: times of threads that have ended are gone with them.
    private static func threadTimes() -> [String: Duration] {
        let folder = "/proc/self/task"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var times: [String: Duration] = [:]
        for task in tasks {
            guard let name = text("\(folder)/\(task)/comm"),
                let time = text("\(folder)/\(task)/schedstat")?.split(separator: " ").first.flatMap({ Int64($0) })
            else { continue }
            times[String(name.prefix { !$0.isNewline }), default: .zero] += .nanoseconds(time)
        }
        return times
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
