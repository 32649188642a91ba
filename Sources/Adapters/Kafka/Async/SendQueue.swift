import NewsflashTopicPartitions

/// Records whose callers wait for results: those in flight, those that wait for space, and the results so far.
///
/// No more records are in flight than fit into the producer's own queue, so a thousand concurrent sends do not overflow it and
/// keep their order.
struct SendQueue: Sendable {
    /// The results of one call, in the order of its records.
    typealias Results = [Result<KafkaDelivery, KafkaError>]

    /// A finished call.
    struct Answer: Sendable {
        var call: UInt64
        var results: Results
    }

    /// The first of our own record numbers; lower ones belong to callers of `produce`.
    static let firstID: UInt64 = 1 << 63

    private struct Call {
        var records: Range<UInt64>
        var topics: [String]
        var results: [Result<KafkaDelivery, KafkaError>?]
        var missing: Int
    }

    private var calls: [UInt64: Call] = [:]
    /// The call of each record without a result; records of cancelled calls are not included.
    private var callOfRecord: [UInt64: UInt64] = [:]
    private var underWay: Set<UInt64> = []
    /// The number of records whose reports are in an event that is not freed yet: until then they occupy the queue.
    private var countInEvent = 0
    /// In the order of their numbers; those before ``firstWaiting`` are gone.
    private var waiting: [KafkaRecord] = []
    private var firstWaiting = 0
    private var nextID = firstID
    private var lastCall: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Returns the number of a new call.
    mutating func makeCall() -> UInt64 {
        lastCall += 1
        return lastCall
    }

    /// Adds the records of a call; ``admit()`` returns them when they may be written.
    mutating func add(_ records: [KafkaRecord], for call: UInt64) {
        let first = nextID
        nextID += UInt64(records.count)
        calls[call] = Call(
            records: first..<nextID,
            topics: records.map(\.topic),
            results: Array(repeating: nil, count: records.count),
            missing: records.count
        )
        for (id, record) in zip(first..<nextID, records) {
            var numbered = record
            numbered.id = id
            callOfRecord[id] = call
            waiting.append(numbered)
        }
    }

    /// Returns the records to write now, in order; they count as in flight.
    mutating func admit() -> [KafkaRecord] {
        let count = min(waiting.count - firstWaiting, limit - underWay.count - countInEvent)
        guard count > 0 else { return [] }
        let records = Array(waiting[firstWaiting..<firstWaiting + count])
        firstWaiting += count
        // Done only occasionally, so that each record is moved at most once.
        if firstWaiting >= waiting.count / 2 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        underWay.formUnion(records.map(\.id))
        return records
    }

    /// Whether records wait for space.
    var isWaiting: Bool { firstWaiting < waiting.count }

    /// The number of records that the producer has accepted and not reported.
    var countUnderWay: Int { underWay.count }

    /// Records the reports on our records.
    ///
    /// - Parameters:
    ///   - reports: Reports on our and others' records.
    ///   - isInEvent: Whether the records occupy the queue until ``eventWasFreed()``.
    /// - Returns: The calls that are finished, and the reports on others' records.
    mutating func settle(
        _ reports: [KafkaDeliveryReport],
        isInEvent: Bool = false
    ) -> (answers: [Answer], others: [KafkaDeliveryReport]) {
        var answers: [Answer] = []
        var others: [KafkaDeliveryReport] = []
        for report in reports {
            guard underWay.remove(report.id) != nil else {
                others.append(report)
                continue
            }
            if isInEvent { countInEvent += 1 }
            guard let call = callOfRecord.removeValue(forKey: report.id), let records = calls[call]?.records else {
                continue
            }
            let index = Int(report.id - records.lowerBound)
            let topic = calls[call]?.topics[index] ?? ""
            calls[call]?.results[index] = report.delivery(to: topic)
            calls[call]?.missing -= 1
            if calls[call]?.missing == 0, let answer = end(call) { answers.append(answer) }
        }
        return (answers, others)
    }

    /// Records that the last reports no longer occupy the queue.
    mutating func eventWasFreed() {
        countInEvent = 0
    }

    /// Cancels a call: its unwritten records are never written, and those in flight may be.
    ///
    /// - Parameter call: The number of the call.
    /// - Returns: `nil` if it is already finished.
    mutating func cancel(_ call: UInt64) -> Answer? {
        guard let records = calls[call]?.records else { return nil }
        for (index, id) in records.enumerated() where callOfRecord.removeValue(forKey: id) != nil {
            calls[call]?.results[index] = .failure(.cancelledSend(mayBePersisted: underWay.contains(id)))
        }
        waiting = waiting[firstWaiting...].filter { !records.contains($0.id) }
        firstWaiting = 0
        return end(call)
    }

    /// Fails the records in flight, because their instance is gone and will not report them any more.
    mutating func giveUpUnderWay(because error: KafkaError) -> [Answer] {
        settle(underWay.map { KafkaDeliveryReport(id: $0, result: .failure(error), mayBePersisted: true) }).answers
    }

    private mutating func end(_ call: UInt64) -> Answer? {
        calls.removeValue(forKey: call).map { Answer(call: call, results: $0.results.compactMap(\.self)) }
    }
}

extension KafkaDeliveryReport {
    /// Returns the result for the sender of the record.
    fileprivate func delivery(to topic: String) -> Result<KafkaDelivery, KafkaError> {
        switch result {
        case .success(let place):
            let partition = TopicPartition(topic: topic, partition: place.partition)
            return .success(KafkaDelivery(topicPartition: partition, offset: place.offset))
        case .failure(var error):
            error.mayBePersisted = mayBePersisted
            // Only the instance is unusable; the producer replaces it.
            if error.code == .fatal { error.isRetriable = true }
            return .failure(error)
        }
    }
}

extension KafkaError {
    /// Creates the error of a cancelled send.
    static func cancelledSend(mayBePersisted: Bool) -> KafkaError {
        let what = mayBePersisted ? "the record may still be written" : "the record was not written"
        var error = KafkaError(.cancelled, "sending was cancelled: \(what)")
        error.mayBePersisted = mayBePersisted
        return error
    }
}
