import NewsflashKafka

/// Writes records at a limited rate, so that new events do not wait for them. Each batch is written after the one before it is
/// confirmed. Slow writing is noted with the number of records so far.
struct PacedWriter: Sendable {
    /// The records that were written, and the error that ended the writing early.
    struct Result: Sendable {
        /// The position of each written record, by its index.
        var written: [Int: KafkaDelivery] = [:]
        /// The first error; `nil` if all records were written, or the task was cancelled.
        var failure: KafkaError?
    }

    private let cluster: KafkaConfiguration
    private let rate: Int

    /// - Parameters:
    ///   - cluster: The cluster.
    ///   - rate: The maximum number of records per second.
    init(_ cluster: KafkaConfiguration, rate: Int) {
        (self.cluster, self.rate) = (cluster, max(1, rate))
    }

    /// Writes records, and waits until the brokers have them. Stops after the first batch with an error.
    ///
    /// - Parameter records: The records, in order.
    /// - Returns: The written records, and the error if one was not confirmed.
    func write(_ records: [KafkaRecord]) async -> Result {
        var result = Result()
        guard !records.isEmpty else { return result }
        do throws(KafkaError) {
            let producer = try KafkaProducer(KafkaProducerConfiguration(client: cluster))
            // If this fails, the delivery reports have the same error.
            try? await producer.warm(topics: Set(records.map(\.topic)).sorted())
            await write(records, by: producer, into: &result)
            await producer.close(deadline: .seconds(5))
        } catch {
            result.failure = error
        }
        return result
    }

    private func write(_ records: [KafkaRecord], by producer: KafkaProducer, into result: inout Result) async {
        let notes = ProgressNotes.current
        // At most ten writes per second. At higher rates, each has several records.
        let step = max(1, rate / 10)
        let beginning = ContinuousClock.now
        var noted = beginning
        for start in stride(from: 0, to: records.count, by: step) {
            let due = beginning + .seconds(Double(start) / Double(rate))
            guard (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return }
            let batch = records[start..<min(start + step, records.count)]
            for (index, delivery) in zip(batch.indices, await producer.send(Array(batch))) {
                switch delivery {
                case .success(let place): result.written[index] = place
                case .failure(let error): result.failure = result.failure ?? error
                }
            }
            guard result.failure == nil else { return }
            guard noted.duration(to: .now) >= notes.delay else { continue }
            noted = .now
            notes.write("written \(result.written.count) of \(records.count) …")
        }
    }
}
