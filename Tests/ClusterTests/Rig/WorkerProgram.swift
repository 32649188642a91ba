import NewsflashTestSupport
import Testing

/// The program under test: `NEWSFLASH_PROGRAM`, or the program of the same build next to the test bundle.
enum WorkerProgram {
    private static let foundSanitizer = Task { () throws -> Sanitizer? in
        let plain = environment.filter { !$0.hasPrefix("ASAN_OPTIONS=") && !$0.hasPrefix("TSAN_OPTIONS=") }
        return try await Sanitizer.found(in: try path(), environment: plain)
    }

    /// Whether it was named, so that it may be built differently from the tests.
    static var isGiven: Bool { variable("NEWSFLASH_PROGRAM") != nil }

    /// The sanitizer that it was built with.
    static func sanitizer() async throws -> Sanitizer? { try await foundSanitizer.value }

    /// Its environment variables: ours without those that would override its configuration file.
    static var environment: [String] {
        // The program may have a sanitizer although the tests have none.
        let options = variable("ASAN_OPTIONS").map { $0 + ":" } ?? ""
        return TestProgram.environment(adding: ["ASAN_OPTIONS": options + "detect_leaks=0"])
    }

    /// Starts `newsflash hub`.
    ///
    /// - Parameter latency: The latency of its answers.
    /// - Returns: A process that prints a connection string.
    /// - Throws: `ChildProcess.Failure` if it cannot be started.
    static func hub(answeringAfter latency: Duration) async throws -> LeashedProgram {
        let fault = "{\"latency\": \"\(Int(latency / .milliseconds(1)))ms\"}"
        let words = [try path(), "hub", "--listen", "127.0.0.1:0", "--fault", fault]
        return try await LeashedProgram(words, environment: environment)
    }

    /// The path of the program.
    static func path() throws -> String {
        guard let given = variable("NEWSFLASH_PROGRAM") else { return try TestProgram.path() }
        try #require(isInstalled(given), "\(given) is not a program")
        return given
    }
}
