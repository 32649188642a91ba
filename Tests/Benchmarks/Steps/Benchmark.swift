/// A separately measured step in the processing of an event.
struct Benchmark {
    let name: String
    /// Prepares the inputs of the step, which do not depend on the iterations, and runs the step once for each.
    let prepare: (Workload) throws -> Run

    /// Runs the step a number of times.
    typealias Run = (_ iterations: Int) throws -> Void

    static var all: [Benchmark] { reading + planning + languages + hub + http + publishing + ledger + observing }

    /// A step that processes one input after the other, and starts again with the first after the last.
    static func each<Input>(
        _ name: String,
        of inputs: @escaping (Workload) throws -> [Input],
        _ step: @escaping (Workload) throws -> (Input) throws -> Void
    ) -> Benchmark {
        Benchmark(name: name) { workload in
            let inputs = try inputs(workload)
            guard !inputs.isEmpty else { throw BenchmarkError("\(name) has nothing to work on") }
            let step = try step(workload)
            for input in inputs { try step(input) }
            return { iterations in
                var index = 0
                for _ in 0..<iterations {
                    try step(inputs[index])
                    index += 1
                    if index == inputs.count { index = 0 }
                }
            }
        }
    }
}

/// The reason why a benchmark has no result.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Uses the result of a step, so that the optimizer cannot remove the step.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}
