import FoundationEssentials

/// This program, to be started again.
enum BenchProgram {
    /// Where it lies.
    ///
    /// - Throws: ``CommandError`` where the system does not tell.
    static func path() throws(CommandError) -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw CommandError(.internalError, "the system does not tell where this program lies: \(error)")
        }
    }

    /// Our variables without those that would override the worker's configuration.
    static var environment: [String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }.map { "\($0.key)=\($0.value)" }
    }
}
