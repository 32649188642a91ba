/// A thread as `/proc/PID/task/TID/stat` tells of it.
struct ThreadTime: Sendable, Equatable {
    /// At most fifteen bytes.
    var name: String
    /// User and system time in ticks of the system's clock.
    var ticks: Int

    /// Reads the text (proc(5)): the name stands in round brackets and may hold such itself.
    ///
    /// - Parameter stat: The whole line.
    init?(stat: String) {
        guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"), start < end else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        // Fields 14 and 15 of the line, which begin after the name with field 3.
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        name = String(stat[stat.index(after: start)..<end])
        ticks = user &+ system
    }
}

/// What other texts of `/proc` say.
enum ProcessTexts {
    /// A size in `/proc/PID/status`, in bytes: `VmRSS` is the memory that a process has, `VmHWM` the most it ever had.
    static func size(_ name: String, status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return kibibytes.map { $0 &* 1024 }
    }

    /// What the processor is called; `model name` of `/proc/cpuinfo`.
    static func processor(cpuinfo: String) -> String? {
        let line = cpuinfo.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { $0.split(separator: " ").joined(separator: " ") }
    }
}
