package import OpenMetrics
import Timestamps

#if canImport(Glibc)
import Glibc
#endif

/// The resource usage of the process, under the usual names of Prometheus clients.
package enum ProcessMetrics {
    /// Adds the metrics, which query the system at each scrape.
    ///
    /// - Parameter registry: The registry that shows them.
    package static func add(to registry: MetricsRegistry) {
        registry.counter(
            "process_cpu_seconds",
            help: "CPU time of the process, user and system.",
            unit: "seconds"
        ) { processorSeconds ?? .nan }
        registry.gauge(
            "process_resident_memory_bytes",
            help: "Resident memory of the process.",
            unit: "bytes"
        ) { residentBytes ?? .nan }
        registry.gauge("process_open_fds", help: "Open file descriptors.") { openDescriptors ?? .nan }
        registry.gauge("process_max_fds", help: "Maximum number of open file descriptors.") { mostDescriptors ?? .nan }
        let start = startTime
        registry.gauge(
            "process_start_time_seconds",
            help: "Start time of the process, in seconds since 1970.",
            unit: "seconds"
        ) { start ?? .nan }
    }

    private static var processorSeconds: Double? {
        guard let fields = statFields, fields.count > 12, let own = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return (own + system) / ticksASecond
    }

    private static var residentBytes: Double? {
        // Pages: all, resident, shared, …
        words(of: "/proc/self/statm").dropFirst().first.flatMap { Double($0) }.map { $0 * Double(getpagesize()) }
    }

    private static var openDescriptors: Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of this folder.
        return Double(max(0, count - 3))
    }

    private static var mostDescriptors: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }

    /// The system returns it in ticks since boot.
    private static var startTime: Double? {
        guard let fields = statFields, fields.count > 19, let ticks = Double(fields[19]),
            let sinceBoot = words(of: "/proc/uptime").first.flatMap({ Double($0) })
        else { return nil }
        return Double(Timestamp.now().milliseconds) / 1000 - (sinceBoot - ticks / ticksASecond)
    }

    /// The fields of the process's stat file from the state on. The name before it may contain spaces, and ends in `)`.
    private static var statFields: [Substring]? {
        guard let line = try? FileContent.read("/proc/self/stat"), let nameEnd = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return String(decoding: line[(nameEnd + 1)...], as: UTF8.self).split(separator: " ")
    }

    private static var ticksASecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

    private static func words(of file: String) -> [Substring] {
        guard let bytes = try? FileContent.read(file) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: " ")
    }
}
