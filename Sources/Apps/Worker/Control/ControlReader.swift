import NewsflashBasics
import NewsflashKafka
import NewsflashObservability
import NewsflashPublishing
import NewsflashTimestamps
import NewsflashTopicPartitions

/// Reads the control topic: its history at the start, then each new command at once.
///
/// Nothing is sent before the commands in force are known. A cluster without the topic has no commands; the topic is read as
/// soon as it exists. If reading cannot continue (the topic was recreated, or permission was withdrawn), it restarts at the
/// beginning until it succeeds.
final class ControlReader: KafkaReaderDelegate, WorkerService {
    private struct State: Sendable {
        var log = ControlLog()
        var hasStarted = false
        /// Whether nothing was received since the reader started again: the next record is the first of the topic.
        var isAtBeginning = false
        /// The reason why commands cannot be read; reading is retried.
        var fault: String?
        /// The last logged fault; each is logged once.
        var logged: String?
    }

    /// The partition with the commands.
    let partition: TopicPartition
    private let client: KafkaConfiguration
    private let inbox: PublishingInbox
    private let writer: ControlWriter?
    private let reloader: RuleReloader
    private let logLevel: LogLevelSetter
    private let logger: Logger
    private let faultLog: KafkaFaultLog
    private let state = Locked(State())
    /// Ends once the commands in force are known.
    let areOrdersKnown = Promise<Bool>()
    private let reader = Locked<KafkaReader?>(nil)

    /// Makes a reader; ``start()`` starts it.
    ///
    /// - Parameters:
    ///   - context: The configuration, and what the worker's parts share.
    ///   - writer: The writer of this worker's own commands, which is informed of commands from others.
    ///   - reloader: Receives commands to read the configuration again.
    ///   - logLevel: Receives commands to change the log level.
    init(
        _ context: WorkerContext,
        writer: ControlWriter? = nil,
        reloader: RuleReloader,
        logLevel: LogLevelSetter
    ) {
        partition = TopicPartition(topic: context.configuration.topics.control, partition: 0)
        client = context.cluster
        inbox = context.inbox
        self.writer = writer
        self.reloader = reloader
        self.logLevel = logLevel
        logger = context.logger
        faultLog = context.observation.faultLog
    }

    /// Starts reading.
    func start() throws(KafkaError) {
        var configuration = KafkaReaderConfiguration(client: client, recovery: .restart)
        // A long wait keeps idle fetches rare; the broker responds to a new command at once.
        configuration.emptyFetchWait = .milliseconds(500)
        let reader = try KafkaReader(configuration, delegate: self)
        self.reader.withLock { $0 = reader }
        reader.start(partition, at: .beginning)
    }

    /// Receives the end offsets at the start: only records before the end must be read first.
    func learn(_ ends: KafkaWatermarks) {
        change { $0.learn(ends) }
    }

    /// The time since the last sign of life of the thread that reads commands.
    var silences: [ReaderSilence] {
        let reader = reader.withLock { $0 }
        return reader.map { [ReaderSilence("the control topic", since: $0.lastServed)] } ?? []
    }

    func shutDown(within limit: Duration) async -> Bool {
        await reader.withLock { $0.take() }?.close(deadline: .seconds(5))
        return true
    }

    /// The reason why commands are not known; `nil` if all are.
    var fault: String? {
        state.withLock { state in
            state.fault ?? (state.log.isFollowing ? nil : "the commands in \(partition.topic) are still being read")
        }
    }

    // MARK: KafkaReaderDelegate, on the reader's thread

    func kafkaReader(_ reader: KafkaReader, didStart partition: TopicPartition, at offset: KafkaOffset) {
        state.withLock { state in
            // The first start is the one whose history is being read, even if its end is known already.
            state.isAtBeginning = state.hasStarted
            state.hasStarted = true
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReceive messages: [KafkaMessage]) {
        canBeRead()
        for message in messages {
            let at = message.timestamp ?? .now()
            change { $0.receive(key: message.key, value: message.value, at: message.offset, written: at) }
        }
    }

    func kafkaReader(_ reader: KafkaReader, didReachEndOf partition: TopicPartition, offset: Int64) {
        canBeRead()
        change { $0.reachEnd() }
    }

    /// Restarts the history if this is the first sign of the topic after a restart.
    private func canBeRead() {
        state.withLock { state in
            if state.isAtBeginning, state.log.isFollowing { state.log.begin() }
            state.isAtBeginning = false
            state.fault = nil
            state.logged = nil
        }
    }

    func kafkaReader(_ reader: KafkaReader, didFail error: KafkaError, of partition: TopicPartition?) {
        switch error.code {
        case .unknownTopic, .unknownPartition, .unknownTopicOrPartition: isMissing()
        case .offsetOutOfRange: hasLostOrders(error)
        default: cannotBeRead(error, isOver: partition != nil && !error.isRetriable)
        }
    }

    /// Continues without commands. Pauses in force stay.
    private func isMissing() {
        change { $0.reachEnd() }
        state.withLock { $0.fault = nil }
        guard isNew("missing") else { return }
        logger.warning(
            "the control topic does not exist, so sources cannot be paused",
            metadata: [
                LogKey.topic: .string(partition.topic),
                LogKey.remedy: .string("create it with 'newsflash topics apply'; it is used as soon as it exists"),
            ]
        )
    }

    /// Logs that the offsets have gone back: the whole topic is read again.
    private func hasLostOrders(_ error: KafkaError) {
        state.withLock { $0.fault = "\(partition.topic) has lost commands and is read again; pauses stay in force" }
        guard isNew(error.description) else { return }
        logger.error(
            "the control topic has lost commands and is read again; lost pauses stay in force here",
            metadata: [
                LogKey.topic: .string(partition.topic), LogKey.detail: .string(error.description),
                LogKey.remedy: .string("pause or resume each source again; 'newsflash status' shows what is paused"),
            ]
        )
    }

    /// Records a fault. With `isOver` the reader starts again; otherwise it continues, perhaps without another sign.
    private func cannotBeRead(_ error: KafkaError, isOver: Bool) {
        let remedy =
            error.meansForbidden ? error.remedy(for: "Read on the topic \(partition.topic)") : "reading is retried"
        let text = "\(partition.topic): \(error); \(remedy)"
        state.withLock { state in
            if isOver || !state.log.isFollowing { state.fault = text }
        }
        guard isNew(text) else { return }
        faultLog.log("the reader of the control topic reported an error", error, text)
    }

    private func isNew(_ text: String) -> Bool {
        state.withLock { state in
            defer { state.logged = text }
            return state.logged != text
        }
    }

    private func change(_ change: (inout ControlLog) -> [ControlLog.Effect]) {
        // Effects are performed under the lock, so that two threads cannot change their order.
        let isFollowing = state.withLock { state in
            for effect in change(&state.log) { perform(effect) }
            return state.log.isFollowing
        }
        if isFollowing { areOrdersKnown.end(with: true) }
    }

    private func perform(_ effect: ControlLog.Effect) {
        switch effect {
        case .controlled(let change):
            writer?.read(change)
            inbox.post(.controlled(change))
        case .logLevel(let order): logLevel.obey(order)
        case .reload(let order): reloader.reload(.order(order))
        case .ignored(let ignored): log(ignored)
        }
    }

    private func log(_ ignored: ControlLog.IgnoredRecord) {
        var metadata: LogMetadata = [
            LogKey.topic: .string(partition.topic), LogKey.offset: LogValue(ignored.offset),
            "key": .string(ignored.key),
        ]
        switch ignored.cause {
        case .unreadable(let detail):
            metadata[LogKey.detail] = .string(detail)
            metadata[LogKey.remedy] = .string("give the command again: compaction may delete the one before it")
            logger.error("a command cannot be read and is skipped", metadata: metadata)
        case .unknown(let act):
            metadata["act"] = .string(act)
            logger.notice("a command of a newer version is skipped", metadata: metadata)
        }
    }
}
