import FoundationEssentials

/// The path and the environment for starting this program again.
enum BenchProgram {
    /// Returns the path of this program.
    ///
    /// - Throws: ``CommandError`` if `/proc/self/exe` cannot be read.
    static func path() throws(CommandError) -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw CommandError(.internalError, "cannot find the path of this program: \(error)")
        }
    }

    /// The environment of this process, without variables that would override the worker's configuration.
    static var environment: [String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }.map { "\($0.key)=\($0.value)" }
    }
}
