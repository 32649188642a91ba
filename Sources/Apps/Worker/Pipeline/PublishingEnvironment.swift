import NewsflashHTTPTransport
import NewsflashKafka
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// The receivers of actions. Each call passes the action on and returns.
struct PublishingEnvironment {
    /// In the order of ``PublishingConfiguration/hubs``.
    let hubs: [HubSender]
    /// The receivers of the requests' results.
    let replies: [HubReplies]
    let transport: any HTTPTransport
    let ledger: any LedgerReading
    /// `nil` if nothing looks for flashes ahead of the consumer.
    var priorityScanner: PriorityScanner?
    let commit: @Sendable ([TopicPartition: Int64]) -> Void
    /// Writes a command into the control topic.
    let control: @Sendable (ControlRecord) -> Void
    /// Starts reading the records of a partition.
    let flow: @Sendable (TopicPartition) -> Void
    /// The latest confirmation of the group membership; the current time if we are in no group.
    let membershipConfirmed: @Sendable () -> ContinuousClock.Instant
    let sessionTimeout: Duration
    let observer: PublishingObserver
    /// Receives the inputs of decisions, for trying other rules.
    var samples: @Sendable ([DecisionSample]) -> Void = { _ in }

    func cancel(_ ids: [UInt64]) {
        for receiver in replies { transport.cancel(ids, receiver: receiver) }
    }
}

/// Reads the ledger for the publishing thread; results go to its inbox.
protocol LedgerReading: Sendable {
    /// Reads the ledger of a partition from its beginning to its current end, and then follows it.
    func restore(_ source: TopicPartition, as id: PartitionID, assignment: UInt32)
    /// Stops that for revoked partitions.
    func stop(_ sources: [TopicPartition])
    /// Reads one record.
    func recall(_ order: RecallRequest, of source: TopicPartition)
    /// Retries failed reads.
    func timePassed(now: Instant)
}

extension PublishingThread {
    /// The publishing thread of a worker.
    convenience init(
        _ context: WorkerContext,
        _ hubs: HubConnections,
        _ kafka: KafkaConnections,
        _ ledger: LedgerParts,
        _ control: ControlParts
    ) {
        let (configuration, observation, inbox) = (context.configuration, context.observation, context.inbox)
        var publishing = configuration.core
        publishing.hubAddresses = hubs.addresses
        let rules = configuration.rules
        let (consumer, producer, ledgerProducer) = (kafka.consumer, kafka.producer, kafka.ledgerProducer)
        let environment = PublishingEnvironment(
            hubs: hubs.senders,
            replies: observation.metrics.hubs.map { HubReplies(inbox, $0) },
            transport: hubs.transport,
            ledger: ledger.reader,
            priorityScanner: kafka.priorityScanner,
            commit: { offsets in
                let refused = consumer.commit(offsets)
                if !refused.isEmpty { inbox.post(.commit(refused, succeeded: false)) }
            },
            control: { kafka.controlWriter.write($0) },
            flow: { consumer.setReading(true, of: [$0]) },
            membershipConfirmed: { consumer.groupState.phase == .outside ? .now : consumer.membershipConfirmed },
            sessionTimeout: configuration.sessionTimeout,
            observer: observation.observer,
            samples: { control.reloader.keep($0) }
        )
        let outcomes = OutcomeWriter(
            topics: configuration.topics,
            group: configuration.group,
            worker: "newsflash \(WorkerVersion.current)"
        )
        let sinks = RecordSinks(
            wakeLedgers: { ledgerProducer.sendLingering() },
            produce: { batch in
                producer.produce(batch.outcomes)
                if !batch.letters.isEmpty { producer.produce(batch.letters) }
                if !batch.forwarded.isEmpty { producer.forward(batch.forwarded) }
            },
            observer: observation.observer
        )
        self.init(inbox) { [publishing] in
            // Only this thread uses the core.
            let core = PublishingCore(configuration: publishing, rules: rules, seed: .random(in: .min ... .max))
            let records = RecordPublisher(ledger.writer, outcomes, sinks)
            return PublishingRunner(core: core, environment: environment, records: records)
        }
    }
}
