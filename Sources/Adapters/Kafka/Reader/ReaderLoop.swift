import CNewsflashRDKafka
import NewsflashTopicPartitions

/// The reader's thread: waits for the descriptor, handles events, passes messages to the delegate.
final class ReaderLoop {
    private let reader: KafkaReader
    private let delegate: any KafkaReaderDelegate
    private let client: ClientHandle
    private let wakeUp: WakeUp
    /// The queue for errors of the cluster as a whole.
    private let main: EventQueue
    private var topics: [String: TopicHandle] = [:]
    private var readings: [Reading] = []
    /// Starts of partitions whose leader is being requested.
    private var upcoming: [Upcoming] = []
    /// Partitions that exist according to an earlier answer of the cluster.
    private var found: Set<TopicPartition> = []
    private var lastStart = 0
    /// Partitions that could not be read any further, and when they are started again.
    private var restarts: [TopicPartition: ContinuousClock.Instant] = [:]

    /// The time until a partition that could not be read is tried again.
    private static let pause = Duration.seconds(1)

    /// A partition that is about to be read.
    private struct Upcoming {
        let partition: TopicPartition
        let offset: KafkaOffset
        let topic: TopicHandle
        let start: Int
    }

    /// A partition that is being read.
    private final class Reading {
        let partition: TopicPartition
        let topic: TopicHandle
        let queue: EventQueue
        let start: Int
        /// Counts the dequeued messages.
        var pace: FetcherWakeupPolicy

        init(
            _ partition: TopicPartition,
            topic: TopicHandle,
            queue: EventQueue,
            start: Int,
            limits: FetchLimits
        ) {
            self.partition = partition
            self.topic = topic
            self.queue = queue
            self.start = start
            self.pace = FetcherWakeupPolicy(limits)
        }
    }

    /// Prepares the loop; it does nothing before ``run()``.
    init(_ reader: KafkaReader, delegate: any KafkaReaderDelegate, client: ClientHandle, wakeUp: WakeUp) {
        self.reader = reader
        self.delegate = delegate
        self.client = client
        self.wakeUp = wakeUp
        self.main = EventQueue.main(of: client)
    }

    /// Runs until the reader is closed.
    func run() {
        main.signal(wakeUp)
        while let requests = reader.dequeueRequests() {
            for request in requests { perform(request) }
            serveMain()
            restartDue()
            // If requests are waiting, no messages were handed over, and the callers have signalled.
            if !readOn() { wakeUp.wait(atMost: restarts.isEmpty ? .seconds(1) : .milliseconds(100)) }
        }
        for reading in readings { stop(reading) }
        readings = []
        upcoming = []
        reader.hasClosed()
    }

    private func perform(_ request: ReaderRequest) {
        switch request {
        case .start(let partition, let offset):
            stop(partition)
            delegate.kafkaReader(reader, didStart: partition, at: offset)
            do throws(KafkaError) {
                try prepare(partition, at: offset)
            } catch {
                failed(error, of: partition)
            }
        case .stop(let partition):
            stop(partition)
        case .found(let partition, let start):
            found.insert(partition)
            begin(start)
        case .missing(let error, let partition, let start):
            found.remove(partition)
            // It is read as soon as it exists.
            begin(start)
            guard readings.contains(where: { $0.start == start }) else { return }
            failed(error, of: partition)
        }
    }

    /// Reports the failure of a partition to the delegate, and schedules another attempt if the reader must recover.
    private func failed(_ error: KafkaError, of partition: TopicPartition) {
        delegate.kafkaReader(reader, didFail: error, of: partition)
        guard reader.configuration.recovery == .restart, !error.isRetriable else { return }
        stop(partition)
        restarts[partition] = .now + Self.pause
    }

    private func restartDue() {
        guard !restarts.isEmpty else { return }
        let now = ContinuousClock.now
        for (partition, due) in restarts where due <= now { perform(.start(partition, .beginning)) }
    }

    /// Reads a partition as soon as its leader is known: librdkafka delays an earlier start by half a second.
    private func prepare(_ partition: TopicPartition, at offset: KafkaOffset) throws(KafkaError) {
        guard offset != .committed else {
            throw KafkaError(.invalidArgument, "reading \(partition): without a group there is no committed offset")
        }
        lastStart += 1
        let topic = try topicHandle(partition.topic)
        let next = Upcoming(partition: partition, offset: offset, topic: topic, start: lastStart)
        upcoming.append(next)
        if found.contains(partition) { begin(next.start) }
        check(partition, start: next.start)
    }

    /// Begins to read a prepared partition, unless it was stopped meanwhile.
    private func begin(_ start: Int) {
        guard let index = upcoming.firstIndex(where: { $0.start == start }) else { return }
        let next = upcoming.remove(at: index)
        do throws(KafkaError) {
            try begin(next)
        } catch {
            failed(error, of: next.partition)
        }
    }

    private func begin(_ next: Upcoming) throws(KafkaError) {
        let partition = next.partition
        // Each start has its own queue, so that no message of an earlier start can come out of it.
        let queue = EventQueue(of: client)
        queue.signal(wakeUp)
        guard
            rd_kafka_consume_start_queue(
                next.topic.pointer,
                partition.partition,
                next.offset.number,
                queue.pointer
            ) == 0
        else { throw KafkaError(rd_kafka_last_error(), doing: "reading \(partition)") }
        let limits = reader.configuration.fetchLimits
        readings.append(Reading(partition, topic: next.topic, queue: queue, start: next.start, limits: limits))
    }

    private func topicHandle(_ name: String) throws(KafkaError) -> TopicHandle {
        if let known = topics[name] { return known }
        let topic = try TopicHandle(name, of: client)
        topics[name] = topic
        return topic
    }

    /// Finds out whether the partition exists and which broker leads it: librdkafka waits half a minute before it reports a
    /// missing topic, and never reports a missing partition of a known topic.
    private func check(_ partition: TopicPartition, start: Int) {
        scheduleBlocking { [client, reader] in
            do throws(KafkaError) {
                let handle = try TopicHandle(partition.topic, of: client)
                let found = try Metadata(of: handle, timeout: .seconds(10)).topics.first
                if let error = found?.error { throw error }
                guard found?.partitions.contains(where: { $0.number == partition.partition }) ?? false else {
                    throw KafkaError(.unknownTopicOrPartition, "reading \(partition): there is no such partition")
                }
                reader.post(.found(partition, start: start))
            } catch {
                reader.post(.missing(error, partition, start: start))
            }
        }
    }

    private func stop(_ partition: TopicPartition) {
        restarts[partition] = nil
        upcoming.removeAll { $0.partition == partition }
        readings.removeAll { reading in
            guard reading.partition == partition else { return false }
            stop(reading)
            return true
        }
    }

    /// Waits for librdkafka's main thread, which never blocks.
    private func stop(_ reading: Reading) {
        guard rd_kafka_consume_stop(reading.topic.pointer, reading.partition.partition) != 0 else { return }
        let error = KafkaError(rd_kafka_last_error(), doing: "stopping to read \(reading.partition)")
        delegate.kafkaReader(reader, didFail: error, of: reading.partition)
    }

    private func serveMain() {
        while let event = main.next() {
            guard let error = event.error(doing: "reading") else { continue }
            delegate.kafkaReader(reader, didFail: error, of: nil)
        }
    }

    /// Passes a batch of each partition to the delegate.
    ///
    /// - Returns: Whether there may be more.
    private func readOn() -> Bool {
        var mayBeMore = false
        for reading in readings {
            guard !reader.hasRequests else { return true }
            if handOver(of: reading) { mayBeMore = true }
        }
        return mayBeMore
    }

    /// - Returns: True unless the queue was emptied: only an emptied queue signals again.
    private func handOver(of reading: Reading) -> Bool {
        let limit = max(1, reader.configuration.maximumBatch)
        var batch: [KafkaMessage] = []
        defer { if !batch.isEmpty { delegate.kafkaReader(reader, didReceive: batch) } }
        while batch.count < limit {
            guard let event = reading.queue.next() else { return false }
            if event.kind == RD_KAFKA_EVENT_FETCH {
                guard let message = KafkaMessage(taking: event, topicPartition: reading.partition, client: client)
                else { continue }
                if batch.isEmpty { batch.reserveCapacity(limit) }
                batch.append(message)
                if reading.pace.took(bytes: message.byteCount) { client.wakeFetchers() }
            } else if event.kind == RD_KAFKA_EVENT_ERROR {
                if !batch.isEmpty { delegate.kafkaReader(reader, didReceive: batch) }
                batch = []
                tell(event, of: reading.partition)
                // The delegate may have stopped it because of that.
                guard readings.contains(where: { $0 === reading }) else { return false }
            }
        }
        return true
    }

    private func tell(_ event: borrowing ClientEvent, of partition: TopicPartition) {
        switch event.response {
        case RD_KAFKA_RESP_ERR__PARTITION_EOF:
            guard let place = rd_kafka_event_topic_partition(event.pointer) else { return }
            defer { rd_kafka_topic_partition_destroy(place) }
            delegate.kafkaReader(reader, didReachEndOf: partition, offset: place.pointee.offset)
        case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
            // librdkafka's error for an offset out of range if no rule determines where to continue.
            guard let error = event.error(doing: "reading \(partition)") else { return }
            failed(KafkaError(.offsetOutOfRange, error.message), of: partition)
        default:
            guard let error = event.error(doing: "reading \(partition)") else { return }
            failed(error, of: partition)
        }
    }
}
