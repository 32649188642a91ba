import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What `/proc` says of a process at a moment.
struct ProcessLook: Sendable {
    var threads: [ThreadTime] = []
    /// In bytes; `nil` where the process has gone.
    var peak: Int?

    /// Ticks a second of the times there.
    static var ticksPerSecond: Int { sysconf(Int32(_SC_CLK_TCK)) }

    /// Looks at a process of ours.
    init(at process: pid_t) {
        let folder = "/proc/\(process)"
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
        threads = tasks.compactMap { Self.text("\(folder)/task/\($0)/stat").flatMap { ThreadTime(stat: $0) } }
        peak = Self.text(folder + "/status").flatMap { ProcessTexts.size("VmHWM", status: $0) }
    }

    /// A file that says nothing of its length.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Where the figures are from.
struct BenchMachine: Sendable, Equatable {
    var cores: Int
    var processor: String
    var kernel: String
    /// Whether the program was built without optimization, so that its figures mean nothing.
    var isDebugBuild: Bool

    /// This one.
    static func here() -> BenchMachine {
        let kernel = ProcessLook.text("/proc/sys/kernel/osrelease").map { String($0.prefix { !$0.isNewline }) }
        let processor = ProcessLook.text("/proc/cpuinfo").flatMap { ProcessTexts.processor(cpuinfo: $0) }
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
