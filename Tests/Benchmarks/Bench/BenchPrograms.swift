import FoundationEssentials
import NewsflashCommands
import NewsflashOperations

/// The programs that the bench starts, and their environment.
struct BenchPrograms: Sendable {
    /// The path of this program, which is started again for the sink, the embedded cluster and some contenders.
    let bench: String
    /// The path of `newsflash`, which is in the same folder.
    let newsflash: String

    /// Finds both programs.
    ///
    /// - Throws: ``OperationError`` if `/proc/self/exe` cannot be read, or if `newsflash` is missing.
    init() throws(OperationError) {
        do {
            bench = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw OperationError(.internalError, "cannot find the path of this program: \(error)")
        }
        newsflash = bench.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/newsflash"
        guard FileManager.default.isExecutableFile(atPath: newsflash) else {
            throw OperationError(.unavailable, "\(newsflash) is missing: build it with 'swift build -c release'")
        }
    }

    /// The environment of this process, without variables that would override the worker's configuration.
    static var environment: [String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }.map { "\($0.key)=\($0.value)" }
    }
}
