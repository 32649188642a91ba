package import NewsflashCommandLineArguments
package import NewsflashOperations

extension OperationError: ExitCoded {
    package var exitCode: ExitCode { ExitCode(kind.rawValue) }
}

extension [CheckFact] {
    /// The exit code of the most urgent problem.
    var exitCode: ExitCode { ExitCode(failure?.rawValue ?? 0) }
}
