import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A snapshot of a process from `/proc`.
struct ProcessSnapshot: Sendable {
    var threads: [ThreadTime] = []
    /// The peak memory in bytes; `nil` if the process has ended.
    var peak: Int?

    /// Ticks per second of the times in `/proc`.
    static var ticksPerSecond: Int { sysconf(Int32(_SC_CLK_TCK)) }

    /// Takes a snapshot of a child process.
    init(at process: pid_t) {
        let folder = "/proc/\(process)"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
        threads = tasks.compactMap { Self.text("\(folder)/task/\($0)/stat").flatMap { ThreadTime(stat: $0) } }
        peak = Self.text(folder + "/status").flatMap { ProcessTexts.size("VmHWM", status: $0) }
    }

    /// Returns the contents of a file whose size is unknown, as in `/proc`; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The machine on which the figures were measured.
struct BenchMachine: Sendable, Equatable {
    var cores: Int
    var processor: String
    var kernel: String
    /// Whether the program was built without optimization; its figures are then meaningless.
    var isDebugBuild: Bool

    /// Returns the current machine.
    static func here() -> BenchMachine {
        let kernel = ProcessSnapshot.text("/proc/sys/kernel/osrelease").map { String($0.prefix { !$0.isNewline }) }
        let processor = ProcessSnapshot.text("/proc/cpuinfo").flatMap { ProcessTexts.processor(cpuinfo: $0) }
        #if DEBUG
        let isDebugBuild = true
        #else
        let isDebugBuild = false
        #endif
        return BenchMachine(
            cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            processor: processor ?? "unknown",
            kernel: kernel ?? "unknown",
            isDebugBuild: isDebugBuild
        )
    }
}
