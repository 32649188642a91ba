import CNewsflashRDKafka

/// The producer's thread: waits for the descriptor and passes reports to the delegate.
final class ProducerLoop {
    private let producer: KafkaProducer
    private let delegate: any KafkaProducerDelegate
    private let wakeUp: WakeUp
    /// `nil` only while the instance is being replaced.
    private var instance: ProducerInstance?
    private var lives = ProducerRestarts(at: .now)

    /// Prepares the loop; it does nothing before ``run()``.
    init(
        _ producer: KafkaProducer,
        delegate: any KafkaProducerDelegate,
        instance: ProducerInstance,
        wakeUp: WakeUp
    ) {
        self.producer = producer
        self.delegate = delegate
        self.instance = instance
        self.wakeUp = wakeUp
    }

    /// Runs until the producer is closed.
    func run() {
        while true {
            wakeUp.wait(atMost: .seconds(1))
            let fatal = serve()
            reportUnqueued()
            if let fatal { retire(because: fatal) }
            if instance == nil, lives.mayBegin(at: .now) { makeAnew() }
            if producer.withState({ !$0.waitingForClose.isEmpty }) {
                finish()
                return
            }
        }
    }

    /// Handles all events of the queue: only an emptied queue signals again.
    ///
    /// - Returns: A fatal error, or `nil`.
    private func serve() -> KafkaError? {
        var fatal: KafkaError?
        while let event = instance?.queue.next() {
            serve(event, &fatal)
            // Not earlier: the records of an event occupy the queue until it is freed.
            producer.goOnSending()
        }
        return fatal
    }

    private func serve(_ event: consuming ClientEvent, _ fatal: inout KafkaError?) {
        switch event.kind {
        case RD_KAFKA_EVENT_DR:
            // The event is freed afterwards, so a flush returns only after its reports were passed to the delegate.
            let reports = event.deliveryReports
            if !reports.isEmpty { producer.deliver(reports, to: delegate) }
        case RD_KAFKA_EVENT_ERROR:
            guard let error = event.error(doing: "writing") else { return }
            if error.isFatal { fatal = error }
            delegate.kafkaProducer(producer, didFail: error)
        default: break
        }
    }

    private func reportUnqueued() {
        let reports = producer.withState { state in
            defer { state.unreported = [] }
            return state.unreported
        }
        if !reports.isEmpty { delegate.kafkaProducer(producer, didDeliver: reports) }
    }

    /// Gives up the instance: its records are reported as failed.
    private func retire(because error: KafkaError) {
        guard let retiring = instance else { return }
        let over = producer.withState { state in
            state.instance = nil
            // Only this instance is unusable; the next one works.
            state.unavailable = KafkaError(error.code, error.message, isRetriable: true)
            // Sends that wait for space fail with those before them, so that no later record is written before them.
            return state.advanceSends()
        }
        for send in over { send.resume() }
        rd_kafka_purge(retiring.client.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        let end = ContinuousClock.now + .seconds(5)
        _ = serve()
        while rd_kafka_outq_len(retiring.client.pointer) > 0, ContinuousClock.now < end {
            wakeUp.wait(atMost: .milliseconds(50))
            _ = serve()
        }
        let left = rd_kafka_outq_len(retiring.client.pointer)
        if left > 0 { log(.critical, "\(left) records were discarded without a report") }
        let unreported = producer.withState { state in
            state.answered(state.sends.giveUpUnderWay(because: state.unavailable)) + state.advanceSends()
        }
        for send in unreported { send.resume() }
        instance = nil
        lives.ended(at: .now)
    }

    private func makeAnew() {
        do throws(KafkaError) {
            let next = try ProducerInstance(producer.configuration, wakeUp: wakeUp)
            instance = next
            lives.began(at: .now)
            let (restarts, topics) = producer.withState { state in
                state.instance = next
                state.restarts += 1
                return (state.restarts, state.warmTopics.sorted())
            }
            log(.warning, "the producer was restarted after a fatal error, restart \(restarts)")
            // Nothing waits for this: without cached metadata the first record is only slower.
            scheduleBlocking { try? next.blockingWarm(topics, timeout: .seconds(5)) }
        } catch {
            // It is tried again in the next round, a second later.
            delegate.kafkaProducer(producer, didFail: error)
        }
    }

    private func finish() {
        if instance != nil { retire(because: .isClosed("producer")) }
        let waiting = producer.withState { state in
            state.unavailable = .isClosed("producer")
            state.isOver = true
            defer { state.waitingForClose = [:] }
            return state.waitingForClose.values
        }
        reportUnqueued()
        for continuation in waiting { continuation.resume(returning: true) }
    }

    private func log(_ level: KafkaLogLine.Level, _ message: String) {
        producer.configuration.client.log(KafkaLogLine(level: level, facility: "PRODUCER", message: message))
    }
}

extension ClientEvent {
    /// The reports of a delivery event.
    fileprivate var deliveryReports: [KafkaDeliveryReport] {
        var reports: [KafkaDeliveryReport] = []
        reports.reserveCapacity(rd_kafka_event_message_count(pointer))
        while let message = rd_kafka_event_message_next(pointer) {
            reports.append(KafkaDeliveryReport(message.pointee, pointer: message))
        }
        return reports
    }
}

/// When a producer may replace its instance: at once, unless its last instances had a fatal error soon after their start.
/// Otherwise brokers that refuse every instance because of a missing right would be asked without a pause.
struct ProducerRestarts {
    /// An instance that lived this long shows that a new one can help.
    private static let goodLife = Duration.seconds(10)
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)

    private var birth: ContinuousClock.Instant
    private var nextBirth: ContinuousClock.Instant
    private var shortLives = 0

    /// Starts with the first instance.
    init(at now: ContinuousClock.Instant) {
        birth = now
        nextBirth = now
    }

    /// Whether the next instance may start.
    func mayBegin(at now: ContinuousClock.Instant) -> Bool { now >= nextBirth }

    /// Records the start of an instance.
    mutating func began(at now: ContinuousClock.Instant) { birth = now }

    /// Records the end of an instance. After the first short life the next one starts at once, then each time later.
    mutating func ended(at now: ContinuousClock.Instant) {
        shortLives = now - birth < Self.goodLife ? min(shortLives + 1, 10) : 0
        let pause = shortLives < 2 ? .zero : min(Self.firstPause * (1 << (shortLives - 2)), Self.longestPause)
        nextBirth = now + pause
    }
}
