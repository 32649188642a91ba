package import NewsflashCurlTransport
package import NewsflashHTTPServer
package import NewsflashKafka
package import NewsflashObservability
package import NewsflashPlanning
package import NewsflashPublishing

/// The configuration of a worker. Its schema is `schemas/newsflash-configuration-v1.schema.json`.
package struct WorkerConfiguration: Sendable {
    package var kafka: KafkaConfiguration
    /// The consumer group.
    package var group: String
    /// A permanent name for this worker in its group, so that a restart within the session moves no partition. `nil` if the
    /// group generates a name at each start.
    package var instance: String?
    /// How the group assigns partitions; must be the same for all workers of a group.
    package var assignment: KafkaConsumerConfiguration.AssignmentStrategy
    /// The starting position of a group without committed offsets.
    package var startAt: KafkaConsumerConfiguration.OffsetReset
    /// How long the group waits for a heartbeat before it reassigns a worker's partitions.
    package var sessionTimeout: Duration
    /// At least one source; each has a different topic.
    package var sources: [SourceSettings]
    package var topics: TopicNames
    package var ledger: LedgerSettings
    /// The hubs in the order of the file; at least one is live.
    package var hubs: [HubSettings]
    package var news: NewsSettings
    package var publishing: PublishingConfiguration
    package var transport: CurlTransportConfiguration
    /// Whether the priority scan looks for flashes ahead of the consumer when it lags.
    package var scouts: Bool
    /// How long a stop or a rebalance may wait for requests in flight.
    package var drain: Duration
    /// The address of health and metrics; `nil` if they are off.
    package var admin: ListenAddress?
    /// Additional host names of this machine that browsers may use for that address.
    package var adminHosts: [String] = []
    package var log: LogSettings
    /// The settings of the application back end; the worker does not use them.
    package var gateway = GatewaySettings.usual
    /// The conditions under which a configuration that is read again replaces this one.
    package var reload = CanaryTerms()
    /// The key of the tokens in pushes of secure events; the gateway needs the same.
    package var secure = SecureSettings()

    /// The first live hub.
    package var hub: HubSettings { hubs.first { $0.mode == .live } ?? hubs[0] }
}

extension WorkerConfiguration {
    /// The first source.
    package var source: SourceSettings {
        get { sources.first ?? .usual }
        set { sources.replaceSubrange(sources.prefix(1).indices, with: [newValue]) }
    }
}

/// The log level and format.
package struct LogSettings: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text
        case json
    }

    package var level: LogLevel
    package var format: Format
}
