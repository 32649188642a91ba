import FoundationEssentials
import Testing

/// The program that was built beside the tests.
enum TestProgram {
    /// Where it lies.
    ///
    /// - Returns: Its path.
    /// - Throws: Where it was not built.
    static func path() throws -> String {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/newsflash"
        try #require(FileManager.default.isExecutableFile(atPath: program), "\(program) is not built")
        return program
    }

    /// Our variables without those that would be taken for its configuration.
    static var environment: [String] {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }
        // Who is ended by a signal leaks everything.
        if let options = variables["ASAN_OPTIONS"] { variables["ASAN_OPTIONS"] = options + ":detect_leaks=0" }
        return variables.map { "\($0.key)=\($0.value)" }
    }
}
