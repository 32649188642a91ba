import NewsflashCurlTransport
import NewsflashKafka
import NewsflashPublishing

/// The connections to the hubs.
struct HubConnections: Sendable {
    /// In the order of ``PublishingConfiguration/hubs``.
    let senders: [HubSender]
    let transport: CurlTransport
    let addresses: HubAddresses

    /// Reads the credentials and starts the transport.
    init(_ context: WorkerContext) throws {
        let hubs = context.configuration.hubs
        senders = try hubs.map { try HubSender($0, logger: context.logger) }
        transport = try CurlTransport(context.configuration.transport)
        context.services.add(.transport, transport)
        addresses = HubAddresses(
            Dictionary(senders.map { ($0.label, $0.address) }) { first, _ in first },
            replaced: Dictionary(hubs.map { ($0.label, $0.replaces) }) { first, _ in first }
        )
    }
}

/// The connections to Kafka that read the sources and write records, and what handles their reports.
struct KafkaConnections: Sendable {
    let forwarder: KafkaEventForwarder
    let controlWriter: ControlWriter
    let producer: KafkaProducer
    /// Writes the ledger, on separate connections: the less the ledger lags, the less a crash repeats.
    let ledgerProducer: KafkaProducer
    let consumer: KafkaConsumer
    /// `nil` if nothing looks for flashes ahead of the consumer.
    let priorityScanner: PriorityScanner?

    /// Makes the clients, which connect at once. The consumer reads nothing before it subscribes.
    init(_ context: WorkerContext) throws(KafkaError) {
        let (configuration, services) = (context.configuration, context.services)
        forwarder = KafkaEventForwarder(context)
        controlWriter = ControlWriter(
            topic: configuration.topics.control,
            next: forwarder,
            inbox: context.inbox,
            logger: context.logger
        )
        // Short linger, because records produced in one call are sent together: the publishing thread decides what can be
        // batched.
        let producer = try KafkaProducer(
            KafkaProducerConfiguration(client: context.cluster, linger: .microseconds(100)),
            delegate: controlWriter
        )
        services.add(.producers, producer)
        controlWriter.open(producer)
        context.observation.losses.open { producer.produce([$0]) }
        self.producer = producer
        // Events without a ledger record would be sent again after a crash, so ledger records do not wait behind others.
        ledgerProducer = try KafkaProducer(
            KafkaProducerConfiguration(client: context.cluster, linger: RecordPublisher.ledgerLinger),
            delegate: forwarder
        )
        services.add(.producers, ledgerProducer)
        let consumer = try KafkaConsumer(configuration.consumer(context.cluster), delegate: forwarder)
        services.add(.consumer, consumer)
        self.consumer = consumer
        // Without a ledger, the consumer could not recognize events that the priority scan found earlier.
        guard configuration.scouts, configuration.core.keepsLedger else {
            priorityScanner = nil
            return
        }
        let scanner = PriorityScanner(
            context,
            progress: { PriorityScanPlan.Progress(of: $0, in: consumer) },
            isReaderFull: { consumer.isReadAheadUsedUp }
        )
        services.add(.readers, scanner)
        priorityScanner = scanner
    }
}

/// The parts that read and write the ledgers.
struct LedgerParts: Sendable {
    let reader: LedgerReader
    /// Belongs to the publishing thread once that has started.
    let writer: LedgerWriter

    /// Prepares the parts. Without a ledger nothing is read.
    init(_ context: WorkerContext, _ kafka: KafkaConnections) {
        let configuration = context.configuration
        // Identifies the ledger records of this process, as opposed to those of an earlier process or another worker.
        let instance = String(UInt64.random(in: .min ... .max), radix: 36)
        reader = LedgerReader(context, instance: instance)
        if configuration.core.keepsLedger { context.services.add(.readers, reader) }
        let producer = kafka.ledgerProducer
        writer = LedgerWriter(sources: configuration.sources, group: configuration.group, instance: instance) {
            producer.produce($0)
        }
    }
}

/// The parts that obey the commands of the control topic.
struct ControlParts: Sendable {
    let reloader: RuleReloader
    let reader: ControlReader

    /// Prepares the parts.
    init(_ context: WorkerContext, _ kafka: KafkaConnections, source: ConfigurationSource?) {
        let logLevel = LogLevelSetter(context.logger)
        reloader = RuleReloader(context, source: source, logLevel: logLevel)
        reader = ControlReader(context, writer: kafka.controlWriter, reloader: reloader, logLevel: logLevel)
        context.services.add(.readers, reader)
    }
}
