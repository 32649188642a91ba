#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs one benchmark, for a tool that counts instructions and allocations: `.ci/benchmark` runs it under valgrind.
@main
struct Benchmarks {
    private static let usage = """
        usage: benchmarks --list
               benchmarks NAME ITERATIONS [INPUTS]

        INPUTS: the number of different events, 300 by default. Benchmarks that process each event once (core,
        ledger.insert) allow at most twice as many iterations.
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--list"] {
            for benchmark in Benchmark.all { print(benchmark.name) }
            return
        }
        guard (2...3).contains(arguments.count), let iterations = Int(arguments[1]), iterations > 0,
            let inputs = arguments.count == 3 ? Int(arguments[2]) : 300, (1...100_000).contains(inputs),
            let benchmark = Benchmark.all.first(where: { $0.name == arguments[0] })
        else { leave(64, usage) }
        do {
            let run = try benchmark.prepare(try Workload(events: inputs))
            try run(iterations)
        } catch {
            leave(70, "\(benchmark.name): \(error)")
        }
    }
}

private func leave(_ code: Int32, _ message: String) -> Never {
    let text = Array("\(message)\n".utf8)
    _ = text.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    exit(code)
}
