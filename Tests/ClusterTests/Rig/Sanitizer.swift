import TestSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a program was built with to watch over its memory or its threads.
enum Sanitizer: String, CaseIterable, Sendable {
    case address = "AddressSanitizer"
    case thread = "ThreadSanitizer"

    /// The one that these tests were built with.
    static let ofTests = allCases.first { dlsym(dlopen(nil, RTLD_NOW), $0.entry) != nil }

    /// What it calls first in a program.
    private var entry: String {
        switch self {
        case .address: "__asan_init"
        case .thread: "__tsan_init"
        }
    }

    /// Finds the one that a program was built with, by asking it for the options of each.
    ///
    /// - Parameters:
    ///   - path: A program that knows `--version`.
    ///   - environment: Its variables, without options of sanitizers.
    /// - Returns: Nil for a program as it ships.
    /// - Throws: `ChildProcess.Failure` when it cannot be started.
    static func found(in path: String, environment: [String]) async throws -> Sanitizer? {
        let help = ["ASAN_OPTIONS=help=1", "TSAN_OPTIONS=help=1"]
        let program = try ChildProcess([path, "--version"], environment: environment + help)
        _ = try await program.waitForEnd()
        return allCases.first { sanitizer in
            program.lines.events.contains { $0.contains("Available flags for \(sanitizer.rawValue)") }
        }
    }

    /// What sanitizers found, in what a program said: the first lines of each report.
    ///
    /// - Parameter lines: All that it said.
    /// - Returns: Nothing where nothing was found.
    static func reports(in lines: [String]) -> [String] {
        lines.indices.filter { opensReport(lines[$0]) }.map { lines[$0...].prefix(30).joined(separator: "\n") }
    }

    private static func opensReport(_ line: String) -> Bool {
        // Also of the leak checker and of checks that a program with any of them may have. Lines of our log are objects.
        !line.hasPrefix("{") && ["ERROR: ", "WARNING: ", "FATAL: "].contains(where: line.contains)
            && line.contains("Sanitizer: ")
            || line.contains("Sanitizer:DEADLYSIGNAL") || line.contains("Sanitizer: CHECK failed")
    }
}
