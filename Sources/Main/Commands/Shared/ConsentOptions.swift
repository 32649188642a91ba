import NewsflashCommandLineArguments
import NewsflashOperations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `--yes`: the consent to a plan that was shown.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Carry out the plan without asking.")
    var yes = false

    /// The error of a command whose plan was not confirmed.
    static let refusal = OperationError(.foundProblems, "nothing was changed: add --yes to do it")

    /// Returns whether a person consents: with `--yes`, or by typing yes at a terminal.
    ///
    /// - Parameter act: The beginning of the question, such as `write 5 records`.
    /// - Returns: False if nobody can be asked.
    func isGiven(to act: String) -> Bool {
        if yes { return true }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        StandardError.write("\(act)? Type yes:")
        return readLine() == "yes"
    }
}
