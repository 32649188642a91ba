/// One step of an event's way that is measured alone.
struct Benchmark {
    let name: String
    /// Makes ready what the step works on, the same whatever is run, and tries the step on all of it.
    let prepare: (Workload) throws -> Run

    /// Does the step so many times.
    typealias Run = (_ iterations: Int) throws -> Void

    static var all: [Benchmark] { reading + planning + languages + hub + http + publishing + ledger + observing }

    /// A step that is done to one thing after the other, from the first again after the last.
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

/// Why a benchmark says nothing.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Takes what a step made, so that the optimizer cannot leave the step out.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: Value) {}
