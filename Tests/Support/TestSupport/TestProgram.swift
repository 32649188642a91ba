import FoundationEssentials

/// The programs that were built with the tests. The test target must depend on them.
package enum TestProgram {
    /// Finds a program.
    ///
    /// - Parameter name: The name of the product.
    /// - Returns: Its path.
    /// - Throws: ``ChildProcess/Failure`` if it was not built.
    package static func path(_ name: String = "newsflash") throws -> String {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
        guard isInstalled(program) else { throw ChildProcess.Failure(description: "\(program) is not built") }
        return program
    }

    /// The variables of the test process without those that would configure the program.
    package static var environment: [String] { environment(adding: [:]) }

    /// Returns the variables of the test process without those that would configure the program, and some more.
    package static func environment(adding more: [String: String]) -> [String] {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("NEWSFLASH_") }
        // A program that a signal ends, or that exits while a thread waits for a signal, leaves memory behind, which the leak
        // checker cannot tell from a leak.
        if let options = variables["ASAN_OPTIONS"] { variables["ASAN_OPTIONS"] = options + ":detect_leaks=0" }
        return variables.merging(more) { $1 }.map { "\($0.key)=\($0.value)" }
    }
}
