import NewsflashCommandLineArguments
import NewsflashOperations
import NewsflashWorker

/// `--source`, for commands that read records from files without the name of their topic.
struct SourceOption: ParsableArguments {
    /// The sentence for help texts.
    static let help = """
        With several sources, the first that can decode a record is used; --source selects one.
        """

    @Option(
        help: ArgumentHelp(
            "The source of the records; without it, the first that can decode each.",
            valueName: "name"
        )
    )
    var source: String?

    /// Removes all sources except the selected one from a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the worker.
    ///   - file: The configuration's name in messages.
    /// - Returns: The configuration, with all its sources if none is selected.
    /// - Throws: ``OperationError`` with exit code 78 if the source is unknown.
    func narrow(_ configuration: WorkerConfiguration, of file: String) throws(OperationError) -> WorkerConfiguration {
        guard let source else { return configuration }
        var configuration = configuration
        configuration.sources = [try configuration.sources.named(source, in: file)]
        return configuration
    }
}
