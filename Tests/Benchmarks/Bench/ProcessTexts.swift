/// The name and the processor time of a thread, from `/proc/PID/task/TID/stat`.
struct ThreadTime: Sendable, Equatable {
    /// The name of the thread, at most 15 bytes.
    var name: String
    /// The user and system time, in ticks of the system's clock.
    var ticks: Int

    /// Parses the line (proc(5)). The name is in parentheses, and may contain parentheses.
    ///
    /// - Parameter stat: The whole line.
    init?(stat: String) {
        guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"), start < end else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        // Fields 14 and 15 of the line; the fields after the name begin with field 3.
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        name = String(stat[stat.index(after: start)..<end])
        ticks = user &+ system
    }
}

/// Parsers of other files in `/proc`.
enum ProcessTexts {
    /// Returns a size from `/proc/PID/status`, in bytes: `VmRSS` is the current memory, `VmHWM` the peak.
    static func size(_ name: String, status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return kibibytes.map { $0 &* 1024 }
    }

    /// Returns the name of the processor; `model name` in `/proc/cpuinfo`.
    static func processor(cpuinfo: String) -> String? {
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { $0.split(separator: " ").joined(separator: " ") }
    }
}
