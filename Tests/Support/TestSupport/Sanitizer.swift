#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A sanitizer of memory or threads that a program was built with.
package enum Sanitizer: String, CaseIterable, Sendable {
    case address = "AddressSanitizer"
    case thread = "ThreadSanitizer"

    /// The sanitizer that these tests were built with.
    package static let ofTests = allCases.first { dlsym(dlopen(nil, RTLD_NOW), $0.entry) != nil }

    /// The first function that it calls in a program.
    private var entry: String {
        switch self {
        case .address: "__asan_init"
        case .thread: "__tsan_init"
        }
    }

    /// Finds the sanitizer of a program by asking the program for the options of each.
    ///
    /// - Parameters:
    ///   - path: A program with an option `--version`.
    ///   - environment: Its environment variables, without options of sanitizers.
    /// - Returns: `nil` for a program without a sanitizer.
    /// - Throws: `ChildProcess.Failure` if it cannot be started.
    package static func found(in path: String, environment: [String]) async throws -> Sanitizer? {
        let help = ["ASAN_OPTIONS=help=1", "TSAN_OPTIONS=help=1"]
        let program = try ChildProcess([path, "--version"], environment: environment + help)
        _ = try await program.waitForEnd()
        return allCases.first { sanitizer in
            program.lines.events.contains { $0.contains("Available flags for \(sanitizer.rawValue)") }
        }
    }

    /// Finds the reports of sanitizers in a program's output: the first lines of each report.
    ///
    /// - Parameter lines: The whole output of the program.
    /// - Returns: The reports, if any.
    package static func reports(in lines: [String]) -> [String] {
        lines.indices.filter { opensReport(lines[$0]) }.map { lines[$0...].prefix(30).joined(separator: "\n") }
    }

    private static func opensReport(_ line: String) -> Bool {
        // This includes the leak checker and other checks of a sanitizer. Lines of our log are objects.
        !line.hasPrefix("{") && ["ERROR: ", "WARNING: ", "FATAL: "].contains(where: line.contains)
            && line.contains("Sanitizer: ")
            || line.contains("Sanitizer:DEADLYSIGNAL") || line.contains("Sanitizer: CHECK failed")
    }
}
