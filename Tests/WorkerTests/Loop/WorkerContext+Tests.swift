import NewsflashObservability

@testable import NewsflashWorker

extension WorkerContext {
    /// The context of a single part that a test makes.
    ///
    /// - Parameters:
    ///   - logger: The log; by default lines are discarded.
    ///   - inbox: Receives what the part posts.
    ///   - change: Changes the shortest valid configuration.
    /// - Throws: `ConfigurationError` if that configuration is invalid.
    init(
        logger: Logger = Logger(label: "", handler: DiscardingLogHandler()),
        inbox: PublishingInbox = PublishingInbox(),
        _ change: (inout WorkerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = try SoundConfiguration.read()
        change(&configuration)
        self.init(configuration, logger: logger, inbox: inbox)
    }
}
