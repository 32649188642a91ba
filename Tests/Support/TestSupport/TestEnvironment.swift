#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The value of an environment variable.
///
/// - Returns: `nil` if it is not set or empty.
package func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// Looks for a program.
///
/// - Parameter program: Its path, or a name to find in `PATH`.
/// - Returns: Whether it exists and is executable.
package func isInstalled(_ program: String) -> Bool {
    guard !program.contains("/") else { return access(program, X_OK) == 0 }
    return (variable("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}
