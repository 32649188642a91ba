package import Kafka
package import Publishing

extension WorkerConfiguration {
    /// How the worker reads its source.
    ///
    /// - Parameter client: The cluster, with a log of ours.
    /// - Returns: A member of ``group``.
    package func consumer(_ client: KafkaConfiguration) -> KafkaConsumerConfiguration {
        var consumer = KafkaConsumerConfiguration(
            client: client,
            groupID: group,
            groupInstanceID: instance,
            assignmentStrategy: assignment,
            offsetReset: startAt,
            sessionTimeout: sessionTimeout,
            revokeDeadline: drain,
            // Who counts what is left must not count what is no message.
            reportsPartitionEnd: true,
            readAhead: KafkaReadAhead(byteLimit: publishing.readAheadBytes, bytesBesideMessage: Self.bytesBesideMessage)
        )
        consumer.commitsToEnd = true
        return consumer
    }

    /// What an event takes in memory besides its message until it is done: the decoded event, its requests, its places in
    /// tables. An estimate on the high side, so that the budget bounds memory also where events are small.
    static let bytesBesideMessage = 4096

    /// What the publishing machine is told.
    package var core: PublishingConfiguration {
        var publishing = publishing
        // In the order of the gateways: an order names its hub by the place here.
        publishing.hubs = hubs.map { HubRole($0.label, mode: $0.mode.events) }
        publishing.keepsLedger = ledger.use == .required
        publishing.storyRetention = ledger.retention
        return publishing
    }
}
