import CommandLineArguments
import Worker

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
    /// - Throws: ``CommandError`` with exit code 78 if the source is unknown.
    func narrow(_ configuration: WorkerConfiguration, of file: String) throws(CommandError) -> WorkerConfiguration {
        guard let source else { return configuration }
        var configuration = configuration
        configuration.sources = [try configuration.sources.named(source, in: file)]
        return configuration
    }
}

extension [SourceSettings] {
    /// The source with a name or an `id`.
    ///
    /// - Parameters:
    ///   - name: The name in the configuration, or the URI in `id`.
    ///   - file: The configuration's name in messages.
    /// - Returns: The source.
    /// - Throws: ``CommandError`` with exit code 78 and the configured names.
    func named(_ name: String, in file: String) throws(CommandError) -> SourceSettings {
        if let source = first(where: { $0.name == name }) ?? first(where: { $0.id == name }) { return source }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let near = suggestion(for: name, among: flatMap { [$0.name, $0.id] }).map { ". Did you mean '\($0)'?" } ?? ""
        throw CommandError(
            .badConfiguration,
            "\(file): unknown source '\(name.harmless)'; configured: \(names)\(near)"
        )
    }
}
