import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing

/// The configuration, and the objects that all parts of a worker share.
struct WorkerContext: Sendable {
    let configuration: WorkerConfiguration
    let logger: Logger
    let observation: WorkerObservation
    let services: ServiceGroup
    let inbox: PublishingInbox

    /// The cluster. Lines of librdkafka go to the worker's log.
    var cluster: KafkaConfiguration { configuration.kafka.logging(to: observation.faultLog) }

    /// Makes the parts that need no connection. `faulted` is called once, with the fault that prevents the worker from
    /// continuing.
    init(
        _ configuration: WorkerConfiguration,
        logger: Logger,
        follower: (any WorkerObserver)? = nil,
        inbox: PublishingInbox = PublishingInbox(),
        faulted: @escaping @Sendable (WorkerFault) -> Void = { _ in }
    ) {
        let fatalFault = FatalFault(logger: logger, react: faulted)
        let metrics = WorkerMetrics(hubs: configuration.hubs.map(\.label))
        metrics.show(logger)
        self.configuration = configuration
        self.logger = logger
        self.inbox = inbox
        services = ServiceGroup(logger)
        observation = WorkerObservation(
            metrics: metrics,
            faultLog: KafkaFaultLog(logger),
            fatalFault: fatalFault,
            observer: PublishingObserver(logger: logger, metrics: metrics, follower: follower, fatal: fatalFault),
            losses: LostRecords(
                of: configuration.sources.map(\.topic),
                outcomes: configuration.topics.outcomes,
                group: configuration.group,
                config: configuration.publishing.digest,
                registry: metrics.registry,
                logger: logger
            )
        )
    }
}

/// The parts that record what a worker does, and what fails.
struct WorkerObservation: Sendable {
    let metrics: WorkerMetrics
    let faultLog: KafkaFaultLog
    let fatalFault: FatalFault
    let observer: PublishingObserver
    let losses: LostRecords
}
