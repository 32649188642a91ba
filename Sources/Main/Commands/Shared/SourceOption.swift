import CommandLineArguments
import Worker

/// `--source`, for commands that read records from files, which do not say from which topic they come.
struct SourceOption: ParsableArguments {
    /// The sentence for help texts.
    static let help = """
        Of several sources each record is read by the first that can; --source names the one.
        """

    @Option(
        help: ArgumentHelp(
            "The source that the records come from; left out, the first that can read each.",
            valueName: "name"
        )
    )
    var source: String?

    /// Leaves a configuration the source that is named.
    ///
    /// - Parameters:
    ///   - configuration: The worker's.
    ///   - file: Its name in messages.
    /// - Returns: With all its sources where none is named.
    /// - Throws: ``CommandError`` with exit code 78 where there is no such source.
    func narrow(_ configuration: WorkerConfiguration, of file: String) throws(CommandError) -> WorkerConfiguration {
        guard let source else { return configuration }
        var configuration = configuration
        configuration.sources = [try configuration.sources.named(source, in: file)]
        return configuration
    }
}

extension [SourceSettings] {
    /// The source of a name, or of the URI in its `id`.
    ///
    /// - Parameters:
    ///   - name: In the configuration.
    ///   - file: The configuration's name in messages.
    /// - Returns: The source.
    /// - Throws: ``CommandError`` with exit code 78 that lists the names that there are.
    func named(_ name: String, in file: String) throws(CommandError) -> SourceSettings {
        if let source = first(where: { $0.name == name }) ?? first(where: { $0.id == name }) { return source }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let near = suggestion(for: name, among: flatMap { [$0.name, $0.id] }).map { ". Did you mean '\($0)'?" } ?? ""
        throw CommandError(
            .badConfiguration,
            "\(file): there is no source '\(name.harmless)'; there is \(names)\(near)"
        )
    }
}
