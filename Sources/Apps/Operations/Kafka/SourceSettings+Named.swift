import NewsflashCommandLineArguments
package import NewsflashWorker

extension [SourceSettings] {
    /// The source with a name or an `id`.
    ///
    /// - Parameters:
    ///   - name: The name in the configuration, or the URI in `id`.
    ///   - file: The configuration's name in messages.
    /// - Returns: The source.
    /// - Throws: ``OperationError`` with exit code 78 and the configured names.
    package func named(_ name: String, in file: String) throws(OperationError) -> SourceSettings {
        if let source = first(where: { $0.name == name }) ?? first(where: { $0.id == name }) { return source }
        let names = map { "'\($0.name)'" }.joined(separator: ", ")
        let near = suggestion(for: name, among: flatMap { [$0.name, $0.id] }).map { ". Did you mean '\($0)'?" } ?? ""
        throw OperationError(
            .badConfiguration,
            "\(file): unknown source '\(name.harmless)'; configured: \(names)\(near)"
        )
    }
}
