import FoundationEssentials
import TestSupport
import Testing

/// The program under test: `NEWSFLASH_PROGRAM`, or the one of the same build, which lies beside the bundle of tests.
enum WorkerProgram {
    private static let foundSanitizer = Task { () throws -> Sanitizer? in
        let plain = environment.filter { !$0.hasPrefix("ASAN_OPTIONS=") && !$0.hasPrefix("TSAN_OPTIONS=") }
        return try await Sanitizer.found(in: try path(), environment: plain)
    }

    /// Whether it was named, and may be built otherwise than the tests.
    static var isGiven: Bool { ProcessInfo.processInfo.environment["NEWSFLASH_PROGRAM"]?.isEmpty == false }

    /// The sanitizer that it was built with.
    static func sanitizer() async throws -> Sanitizer? { try await foundSanitizer.value }

    /// Variables for it: ours without those that would override its file.
    static var environment: [String] {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }
        // A program that exits leaves what waits for a signal alive, which the leak checker cannot tell from a leak.
        let options = variables["ASAN_OPTIONS"].map { $0 + ":" } ?? ""
        variables["ASAN_OPTIONS"] = options + "detect_leaks=0"
        return variables.map { "\($0.key)=\($0.value)" }
    }

    /// Starts `newsflash hub`.
    ///
    /// - Parameter latency: How late it answers.
    /// - Returns: A process that prints a connection string.
    /// - Throws: `ChildProcess.Failure` when it cannot be started.
    static func hub(answeringAfter latency: Duration) async throws -> LeashedProgram {
        let fault = "{\"latency\": \"\(Int(latency / .milliseconds(1)))ms\"}"
        let words = [try path(), "hub", "--listen", "127.0.0.1:0", "--fault", fault]
        return try await LeashedProgram(words, environment: environment)
    }

    /// Its path.
    static func path() throws -> String {
        if let given = ProcessInfo.processInfo.environment["NEWSFLASH_PROGRAM"], !given.isEmpty {
            try #require(FileManager.default.isExecutableFile(atPath: given), "\(given) is no program")
            return given
        }
        #if os(Linux)
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
        let bundle = try #require(CommandLine.arguments.lazy.compactMap(bundlePath).first)
        #endif
        let path = bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/newsflash"
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is not built")
        return path
    }

    #if !os(Linux)
    private static func bundlePath(in argument: String) -> String? {
        guard let end = argument.range(of: ".xctest") else { return nil }
        return String(argument[..<end.upperBound])
    }
    #endif
}

/// Writes a file that only we may read.
func writePrivately(_ text: String, to path: String) throws {
    guard
        FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
    else { throw ChildProcess.Failure(description: "\(path) cannot be written") }
}

/// Runs a test with a folder that is gone afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/newsflash-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
}
