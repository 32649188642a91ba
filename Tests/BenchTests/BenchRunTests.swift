import FoundationEssentials
import NewsflashKafkaTestCluster
import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The whole bench, run as the program of the same build.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct BenchRunTests {
    /// Marks the bench and all processes that it starts by a variable that they inherit.
    private let mark = UUID().uuidString
    /// The folder for the bench's own temporary folder.
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start(_ options: [String]) throws -> ChildProcess {
        let environment = TestProgram.environment(adding: ["TMPDIR": folder.path, "BENCH_MARK": mark])
        return try ChildProcess([TestProgram.path("newsflash-bench")] + options, environment: environment)
    }

    /// The numbers and command lines of all processes with our mark.
    private var marked: [pid_t: String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var marked: [pid_t: String] = [:]
        for process in processes.compactMap({ pid_t($0) }) {
            guard let variables = text("/proc/\(process)/environ"), variables.contains(mark) else { continue }
            marked[process] = text("/proc/\(process)/cmdline")?.split(separator: "\0").joined(separator: " ")
        }
        return marked
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until the marked processes meet a condition.
    private func waitForProcesses(_ isWanted: ([pid_t: String]) -> Bool) async throws {
        while !isWanted(marked) { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test(.long) func `a run has all figures and leaves no process behind`() async throws {
        let bench = try start(["--events", "2000", "--rounds", "1", "--kills", "1", "--json"])
        #expect(try await bench.waitForEnd() == .exited(0), "\(bench.lines.events)")
        let line = try #require(bench.lines.events.last)
        let json = try JSONReader.read(Array(line.utf8))
        let median = json[member: "median"]
        for contender in ["bare", "newsflash"] {
            for figure in ["eventsPerSecond", "cpu", "peakMemory", "firstRequestAfter"] {
                let value = median?[member: contender]?[member: figure]?.double
                #expect((value ?? 0) > 0, "\(contender) \(figure) in \(line)")
            }
        }
        #expect((median?[member: "newsflash"]?[member: "requests"]?.int64 ?? 0) >= 2000)
        #expect((median?[member: "rateRatio"]?.double ?? 0) > 0)
        #expect((median?[member: "cpuByThread"]?[member: "publishing"]?.double ?? 0) > 0)
        #expect((median?[member: "cpuByThread"]?[member: "http"]?.double ?? 0) > 0)
        #expect((json[member: "swiftAllocationsPerEvent"]?.double ?? 0) > 1)
        #expect(json[member: "kills"]?[member: "sentTwice"]?.array?.count == 1)
        #expect(marked.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func `a bench that is stopped ends its processes`(signal: Int32) async throws {
        let bench = try start(["--events", "2000"])
        // The worker is the process that watches no pipe of the test.
        try await waitForProcesses { $0.values.contains { $0.contains(" run --config ") } }
        let own = try #require(marked.first { $0.value.contains("newsflash-bench --events") })
        kill(own.key, signal)
        let end = try await bench.waitForEnd()
        #expect(end == (signal == SIGINT ? .exited(130) : .signalled(SIGKILL)))
        try await waitForProcesses(\.isEmpty)
        // A killed bench cannot clean up.
        guard signal == SIGINT else { return }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
}
