import Guarantees
import Testing

/// What the rig makes of sanitizers: their reports break a run, and what they make slow gets more time.
@Suite(.timeLimit(.minutes(1)))
struct SanitizerTests {
    @Test(arguments: [
        "==4711==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000014 at pc 0x55d0",
        "==4711==ERROR: LeakSanitizer: detected memory leaks",
        "WARNING: ThreadSanitizer: data race (pid=4711)",
        "AddressSanitizer:DEADLYSIGNAL",
        "AddressSanitizer: CHECK failed: asan_thread.cpp:343",
    ])
    func `a report is found among lines of a log, with what it says next`(first: String) {
        let lines = ["pid 4711", #"{"level":"notice","message":"ready"}"#, first, "  #0 in somewhere"]
        #expect(Sanitizer.reports(in: lines) == [first + "\n  #0 in somewhere"])
    }

    @Test
    func `a worker that says nothing of the kind has no report`() {
        let lines = [
            "pid 4711", #"{"level":"error","message":"ERROR: AddressSanitizer: is only news here"}"#,
            "Available flags for AddressSanitizer:", "%4|WARNING: something else",
        ]
        #expect(Sanitizer.reports(in: lines).isEmpty)
    }

    @Test
    func `programs as they ship get all of the load and no more patience`() {
        let patience = Slowness(sanitizer: nil).stretched(Evidence.Patience())
        #expect(patience.request == Evidence.Patience().request)
        #expect(patience.record == Evidence.Patience().record)
        #expect(Slowness(sanitizer: nil).load == 1)
        #expect(Slowness(sanitizer: nil).description.isEmpty)
    }

    @Test(arguments: Sanitizer.allCases)
    func `programs with a sanitizer get less load, more patience, and the figures say so`(sanitizer: Sanitizer) {
        let slowness = Slowness(sanitizer: sanitizer)
        let patience = slowness.stretched(Evidence.Patience())
        #expect(patience.request > Evidence.Patience().request)
        #expect(patience.embargo > Evidence.Patience().embargo)
        #expect(patience.express > Evidence.Patience().express)
        #expect(slowness.load < 1)
        #expect(slowness.description.contains(sanitizer.rawValue))
    }

    @Test
    func `the program beside the tests is found to be built as they are`() async throws {
        // One that was named on purpose may be built otherwise.
        #expect(try await Slowness.present().sanitizer == Sanitizer.ofTests || WorkerProgram.isGiven)
    }
}
