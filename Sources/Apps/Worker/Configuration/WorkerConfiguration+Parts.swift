package import NewsflashKafka
package import NewsflashPlanning
package import NewsflashPublishing

extension WorkerConfiguration {
    /// The configuration of the worker's consumer.
    ///
    /// - Parameter client: The cluster, with our logging.
    /// - Returns: The configuration of a member of ``group``.
    package func consumer(_ client: KafkaConfiguration) -> KafkaConsumerConfiguration {
        var consumer = KafkaConsumerConfiguration(
            client: client,
            groupID: group,
            groupInstanceID: instance,
            assignmentStrategy: assignment,
            offsetReset: startAt,
            sessionTimeout: sessionTimeout,
            revokeDeadline: drain,
            // Control records at the end of a partition must not count as lag.
            reportsPartitionEnd: true,
            readAhead: KafkaReadAhead(
                byteLimit: publishing.readAheadBytes,
                bytesBesideMessage: PublishingConfiguration.bytesBesideRecord
            )
        )
        consumer.commitsToEnd = true
        return consumer
    }

    /// The configuration of the publishing core.
    package var core: PublishingConfiguration {
        var publishing = publishing
        // In the order of the gateways: a send request contains the index of its hub in this list.
        publishing.hubs = hubs.map { HubRole($0.label, mode: $0.mode.events) }
        publishing.keepsLedger = ledger.use == .required
        publishing.storyRetention = ledger.retention
        return publishing
    }
}

extension EventPlanner {
    /// Makes a planner with the rules of a configuration.
    package init(_ configuration: WorkerConfiguration) {
        self.init(
            news: configuration.news,
            hubs: configuration.hubs.map(\.rules),
            tokens: configuration.secure.tokens
        )
    }
}
