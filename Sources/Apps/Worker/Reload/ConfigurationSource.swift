/// Where a worker's configuration comes from, to be read again while it runs.
package struct ConfigurationSource: Sendable {
    /// Every key as it was when the worker was started.
    let values: [ConfigurationValue]
    /// Reads it as it is now.
    package let read: @Sendable () throws(ConfigurationError) -> ReadConfiguration

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - present: What the worker is started with.
    ///   - read: Reads it as it is now; called on a thread where nothing else waits.
    package init(
        _ present: ReadConfiguration,
        read: @escaping @Sendable () throws(ConfigurationError) -> ReadConfiguration
    ) {
        self.values = present.values
        self.read = read
    }
}
