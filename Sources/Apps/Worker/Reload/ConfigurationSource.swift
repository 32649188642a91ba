/// The source of a worker's configuration, for reading it again while the worker runs.
package struct ConfigurationSource: Sendable {
    /// Every key as at the start of the worker.
    let values: [ConfigurationValue]
    /// Reads the current configuration.
    package let read: @Sendable () throws(ConfigurationError) -> ReadConfiguration

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - present: The configuration at the start.
    ///   - read: Reads the current configuration; called on a thread where nothing else waits.
    package init(
        _ present: ReadConfiguration,
        read: @escaping @Sendable () throws(ConfigurationError) -> ReadConfiguration
    ) {
        self.values = present.values
        self.read = read
    }
}
