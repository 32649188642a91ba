import NewsflashGuarantees
import NewsflashTestSupport
import Testing

/// The rig and sanitizers: their reports fail a run, and slower programs get more time.
@Suite(.timeLimit(.minutes(1)))
struct SanitizerTests {
    @Test(arguments: [
        "==4711==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000014 at pc 0x55d0",
        "==4711==ERROR: LeakSanitizer: detected memory leaks",
        "WARNING: ThreadSanitizer: data race (pid=4711)",
        "AddressSanitizer:DEADLYSIGNAL",
        "AddressSanitizer: CHECK failed: asan_thread.cpp:343",
    ])
    func `a report is found among lines of a log, with its next line`(first: String) {
        let lines = ["pid 4711", #"{"level":"notice","message":"ready"}"#, first, "  #0 in somewhere"]
        #expect(Sanitizer.reports(in: lines) == [first + "\n  #0 in somewhere"])
    }

    @Test
    func `a log without sanitizer lines has no report`() {
        let lines = [
            "pid 4711", #"{"level":"error","message":"ERROR: AddressSanitizer: is only news here"}"#,
            "Available flags for AddressSanitizer:", "%4|WARNING: something else",
        ]
        #expect(Sanitizer.reports(in: lines).isEmpty)
    }

    @Test
    func `programs without a sanitizer get the full load and no additional patience`() {
        let patience = Slowness(sanitizer: nil).stretched(Evidence.Patience())
        #expect(patience.request == Evidence.Patience().request)
        #expect(patience.record == Evidence.Patience().record)
        #expect(Slowness(sanitizer: nil).load == 1)
        #expect(Slowness(sanitizer: nil).description.isEmpty)
    }

    @Test(arguments: Sanitizer.allCases)
    func `programs with a sanitizer get less load and more patience, and the figures show it`(sanitizer: Sanitizer) {
        let slowness = Slowness(sanitizer: sanitizer)
        let patience = slowness.stretched(Evidence.Patience())
        #expect(patience.request > Evidence.Patience().request)
        #expect(patience.embargo > Evidence.Patience().embargo)
        #expect(patience.express > Evidence.Patience().express)
        #expect(slowness.load < 1)
        #expect(slowness.description.contains(sanitizer.rawValue))
    }

    @Test
    func `a slow machine gets half the load and twice the patience with workers, and the figures show it`() {
        let slowness = Slowness(sanitizer: nil, isMachineSlow: true)
        let patience = slowness.stretched(Evidence.Patience())
        #expect(patience.embargo == Evidence.Patience().embargo * 2)
        #expect(patience.probe == Evidence.Patience().probe * 2)
        #expect(patience.takeover == Evidence.Patience().takeover && patience.election == Evidence.Patience().election)
        #expect(slowness.load == 0.5)
        #expect(slowness.description.hasPrefix("on a slow machine, 0.5 of the load, 2 times"))
    }

    @Test
    func `the program next to the tests is built with the same sanitizer`() async throws {
        // A program named on purpose may be built differently.
        #expect(try await Slowness.present().sanitizer == Sanitizer.ofTests || WorkerProgram.isGiven)
    }
}
