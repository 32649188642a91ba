package import CurlTransport
package import HTTPServer
package import Kafka
package import NewsEvents
package import Publishing
package import Rendering
package import Routing
package import StructuredLog

/// Everything a worker is told before it starts; the grammar stands in `schemas/newsflash-configuration-v1.schema.json`.
package struct WorkerConfiguration: Sendable {
    package var kafka: KafkaConfiguration
    /// The consumer group.
    package var group: String
    /// A lasting name for this worker in its group: a restart within the session moves no partition; `nil` for a name that
    /// the group makes up at each start.
    package var instance: String?
    /// How the workers share the partitions; all of a group must use the same.
    package var assignment: KafkaConsumerConfiguration.AssignmentStrategy
    /// Where a group without committed offsets begins.
    package var startAt: KafkaConsumerConfiguration.OffsetReset
    /// How long the group waits for a sign of life before it gives a worker's partitions away.
    package var sessionTimeout: Duration
    /// At least one; no two read one topic.
    package var sources: [SourceSettings]
    package var topics: TopicNames
    package var ledger: LedgerSettings
    /// Where news goes, in the order of the file; one of them at least is for readers.
    package var hubs: [HubSettings]
    package var news: NewsSettings
    package var publishing: PublishingConfiguration
    package var transport: CurlTransportConfiguration
    /// Whether flashes are looked for ahead of the reader while it is behind.
    package var scouts: Bool
    /// How long a stop or a rebalance may wait for what is in flight.
    package var drain: Duration
    /// Where health and metrics are served; `nil` for nowhere.
    package var admin: ListenAddress?
    /// More names of this machine under which browsers may ask there.
    package var adminHosts: [String] = []
    package var log: LogSettings
    /// What the application back end is told; the worker itself does not look at it.
    package var gateway = GatewaySettings.usual
    /// On what terms a configuration that is read again takes the place of this one.
    package var reload = CanaryTerms()
    /// The key of the tokens in pushes of secure events; the gateway needs the same.
    package var secure = SecureSettings()

    /// The first hub for readers.
    package var hub: HubSettings { hubs.first { $0.mode == .live } ?? hubs[0] }
}

extension WorkerConfiguration {
    /// The first source.
    package var source: SourceSettings {
        get { sources.first ?? .usual }
        set { sources.replaceSubrange(sources.prefix(1).indices, with: [newValue]) }
    }
}

/// Which readers get which words.
package struct NewsSettings: Sendable {
    package var locales: OfferedLocales
    package var text: TextRules
    package var categories: CategoryMap
    /// Tags for the hubs that have none of their own.
    package var audiences: AudiencePlanner
    /// Tags of readers whom events name.
    package var users: UserPlanner
    /// How much each urgency disturbs.
    package var interruption: InterruptionLevels
    /// What a template send carries.
    package var properties: TemplateProperties
    package var limits: TextLimits
}

extension NewsSettings {
    /// The route of an event by its categories, otherwise by those that the newsroom gives to what is not mapped.
    package func route(of event: NewsEvent) -> Route {
        let route = categories.route(event.categories).route
        guard route.categories.isEmpty, !event.spareCategories.isEmpty else { return route }
        return categories.route(event.spareCategories).route
    }
}

/// What is logged and how.
package struct LogSettings: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text
        case json
    }

    package var level: LogLevel
    package var format: Format
}
